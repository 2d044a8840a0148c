/**
 * What a shell loads for completion. The scripts know no verb: they ask `quay complete` for each word, which answers one
 * candidate per line, a tab and its description behind it, or `:folders`. A name is data: each shell quotes it itself.
 */
export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

const bash = `# Completion of quay for bash. In ~/.bashrc: eval "$(quay completion bash)"
_quay() {
  local line text cur=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :folders ]]; then
      compopt -o filenames
      while IFS= read -r text; do COMPREPLY+=("$text"); done < <(compgen -d -- "$cur")
      continue
    fi
    printf -v text %q "\${line%%$'\\t'*}"
    if [[ $text == "$cur"* ]]; then COMPREPLY+=("$text"); fi
  done < <(quay complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _quay quay
`;

const zsh = `#compdef quay
# Completion of quay for zsh. In ~/.zshrc, after compinit: eval "$(quay completion zsh)"
_quay() {
  local line
  local -a texts abouts
  for line in "\${(@f)$(quay complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :folders ]]; then
      _files -/
    elif [[ -n $line ]]; then
      texts+=("\${line%%$'\\t'*}")
      abouts+=("\${line/$'\\t'/  }")
    fi
  done
  (( \${#texts} )) && compadd -l -d abouts -- "\${texts[@]}"
}
if [[ \${funcstack[1]} == _quay ]]; then
  _quay "$@"
else
  compdef _quay quay
fi
`;

const fish = `# Completion of quay for fish. quay completion fish > ~/.config/fish/completions/quay.fish
function __quay_complete
    set -l before (commandline -opc)
    set -e before[1]
    set -l current (commandline -ct)
    for line in (quay complete -- $before "$current" 2>/dev/null)
        if test "$line" = :folders
            __fish_complete_directories "$current"
        else
            printf '%s\\n' $line
        end
    end
end
complete -c quay -f -a '(__quay_complete)'
`;

export const completionScript = (shell: Shell): string => ({ bash, zsh, fish })[shell];
