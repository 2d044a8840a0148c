/** What is promised of auto-approval: rules that let Quay answer a CLI's permission request. */
export const approvals = {
  "DECISIONS, A17 auto-approval; S21 approve": {
    "approve:commands": "A rule approves the command that it names; its star covers nothing that a shell obeys.",
    "approve:paths":
      "A rule for files or addresses approves nothing outside the folder or host that it names, also by a link.",
    "approve:tools": "A rule approves its own tool alone, by its exact name.",
    "approve:no-rule-no-answer": "A request that no rule covers is answered with nothing, at once.",
    "approve:counted": "Each request that a rule of Quay answered counts once in auto_approved_count.",
    "approve:on-trail":
      "Each of them is on the trail with its tool, its argument (cut), its rule and where the rule stands.",
    "approve:only-own-cli": "Only a request of the terminal's own CLI is answered, with its own secret, once.",
    "approve:without-engine": "While the engine is away the CLI goes on as without Quay: its dialog opens.",
    "approve:rules-checked":
      "A rule that says too much or cannot be read is an error that names it, in a preset and in the settings.",
    "approve:fixed-at-launch": "A seat's rules are those of its launch; a relaunch keeps them.",
    "approve:never-typed": "Quay never answers a request by keystrokes.",
  },
} as const;
