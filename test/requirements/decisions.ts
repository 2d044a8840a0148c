/** What the project decided where the product text is silent: per decision, id and behaviour. Data only. */
export const decisions = {
  "DECISIONS, A1 non-peers": {
    "non-peer:refuses-everyone": "A shell refuses every message, a person's too.",
    "non-peer:status-by-id": "Its status can be asked by id: not a peer, unknown or exited.",
    "non-peer:no-token": "A shell terminal gets no token and no address of the tools.",
  },
  "DECISIONS, A2 level and caller": {
    "caller:level-never-gates": "A live peer's token may call every tool, also while its reporter is silent.",
    "peer:full-while-starting":
      "A Claude Code terminal is a full peer while it is starting, for 30 seconds after its first output.",
  },
  "DECISIONS, A3 when a send answers": {
    "send:free-target-after-enter":
      "To a free target the answer comes after text and Enter are in, without waiting for a sign of submission.",
    "send:busy-target-after-durable": "To a busy target the answer comes once the message is durable.",
    "send:held-is-queued-with-note":
      "A message that is held because the line is taken is a queued entry with a note that says so.",
  },
  "DECISIONS, A4 the same call again": {
    "send:repeat-joins-the-first":
      "The same caller, target and text again, while the first is queued or its response was never written (at most 120 s), is the same delivery.",
    "send:repeat-after-answer-is-new": "The same call again after its answer was written is a second message.",
    "wait:caller-gone-keeps-delivery": "Cancel, disconnect or exit of the caller ends the wait and never the delivery.",
  },
  "DECISIONS, A5 endings without an answer": {
    "ending:interrupted": "An interrupted turn completes its entry with that note.",
    "ending:cleared": "A cleared conversation completes the entry with that note.",
    "ending:joined":
      "A message that joined a running turn completes with that note and settles its wait without a reply.",
    "ending:turn-failed":
      "A turn that ended in a model error completes the entry with turn failed: …, and a waiting sender gets an error that says so.",
    "ending:not-submitted":
      "A message without a sign of submission in 15 s stops blocking the queue, and its entry keeps the screen as evidence.",
    "ending:exited-before-end": "An exit before the turn's end fails the entry, saying so.",
    "ending:untypable": "A message that could not be typed fails with what was seen.",
    "ending:cancelled": "A queued message can be cancelled; its entry fails and says so.",
  },
  "DECISIONS, A6 hops": {
    "hops:count-up": "A message sent in a turn that a delivery caused carries one hop more than that delivery.",
    "hops:person-resets": "A person's prompt starts again at 0.",
    "hops:limit": "At 32 hops a message is refused, with the number.",
  },
  "DECISIONS, A7 text that a person sends": {
    "person:no-prefix": "A message as You is typed without a header.",
    "person:command-sign-refused": "A leading / ! # or @ is refused with advice, unless raw typing is asked for.",
    "person:as-agent": "A message from agent X by a person carries X's header, and the trail says via You.",
    "person:labels": "A message from the screen is labelled Reply:, and quay send without --wait Answer:.",
  },
  "DECISIONS, A8 bodies and names": {
    "body:limit": "A text over 256 KB of UTF-8 is refused with the limit.",
    "body:empty-refused": "An empty text is refused.",
    "body:line-ends": "CRLF arrives as LF.",
    "body:controls-removed":
      "Control characters but LF and TAB, lone surrogates and zero-width characters are taken out, and the entry says so.",
    "body:no-trailing-backslash": "No text that ends in a backslash reaches a CLI as such.",
    "body:header-lookalikes-marked":
      "A line of a body that looks like a header of ours or a system tag is marked with a leading '> '.",
    "name:rule": "A session name has 1 to 64 characters, no control characters and none of ' \" [ ] ( ) : @ /.",
  },
  "DECISIONS, A9 wording": {
    "wording:refusals-are-tool-errors": "A refusal comes back as a tool error.",
    "wording:reply-form": "Reply from X: is followed by a line break and the answer.",
    "wording:list-form": "The agent list is its title line, then JSON indented by two spaces.",
    "wording:plural": "One peer is 1 peer, two are 2 peers.",
    "wording:no-task": "Without a task the status says task='none'.",
  },
  "DECISIONS, A10 task title": {
    "task:unwrapped": "A pasted prompt's task is read from inside its wrapper, and an automatic prompt sets no task.",
    "task:code-points": "The cut at 32 counts code points.",
    "tool:subagents-ignored": "The current tool is the main agent's, never a subagent's.",
  },
  "DECISIONS, A13 the plugin's remedy": {
    "remedy:relaunch-line": "The line that cures a silent plugin is quay relaunch NAME.",
    "remedy:relaunch-resumes":
      "Running that line resumes the CLI's session with the bridge, and the terminal is a full peer again.",
    "remedy:hooks-off-named": "When a setting of the user switches hooks off, the remedy names it.",
  },
  "DECISIONS, A14 toasts": {
    "toast:one-per-broadcast": "A broadcast raises one toast, any other delivery one each.",
    "toast:own-server-only": "tmux's display-message is used on Quay's own server only.",
  },
  "DECISIONS, A15 project": {
    "project:toplevel": "A terminal's project is the root of its working tree, else the real path of its folder.",
    "project:of-the-command-line":
      "quay send and quay broadcast act in the current folder's project, or in that of --project.",
  },
  "DECISIONS, S18 inside a terminal": {
    "inside:acts-as-terminal": "Inside a terminal of Quay the command line sends in that terminal's name.",
    "inside:person-verbs-refused": "There the verbs for people (kill, stop, down and the like) are refused.",
  },
  "DECISIONS, S19 stop, down, up": {
    "stop:agents-go-on": "quay stop ends engine and screen, leaves the agents running, and says so.",
    "down:confirms": "quay down ends agents, after a confirmation.",
    "up:keeps-the-living": "quay up again keeps the live seats and starts the missing ones.",
    "engine:started-on-demand": "up, new and send start an engine when none runs.",
    "store:read-without-engine": "ls, trail and status read the store when no engine runs.",
  },
  "DECISIONS, S20 relaunch and forget": {
    "relaunch:new-id": "A relaunched terminal has a new id.",
    "forget:exited-stay": "An exited terminal stays listed until quay forget, or for seven days.",
  },
  "DECISIONS, S21 presets": {
    "preset:schema":
      "A preset has name, description and seats with name, kind and optionally cwd, args, env, prompt, worktree and approve; an unknown key is an error that names it.",
    "preset:three-places":
      "Presets come from the package, the user and the project's .quay/presets, and the later place wins by name.",
    "preset:bad-file-skipped": "A bad file is listed with its error and skipped; the others can be used.",
    "preset:watched": "An added, changed or removed file is seen without a restart.",
  },
  "DECISIONS, S23 what ships": {
    "package:demo-ships": "What the demo needs is in the package: it runs without the test folder.",
  },
} as const;
