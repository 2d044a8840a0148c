/** What is promised of Codex terminals: per heading, id and behaviour. Data only. */
export const codex = {
  "quay-a2a-bus.txt, Peers and Their Levels (Codex)": {
    "peer:codex-full":
      "A Codex terminal is a full peer: it calls the tools, answers a waiting sender, shows Working and Idle.",
    "peer:codex-overrides": "Codex gets the tool server through -c overrides, for that launch only.",
    "peer:codex-turn-end-helper":
      "Codex's turn ends and answers are reported by the turn-end helper it is launched with.",
  },
  "quay-a2a-bus.txt, How a Message Is Delivered (Codex)": {
    "deliver:codex-between-turns": "A Codex terminal is typed on only between turns, once per message.",
    "deliver:codex-not-answered-by-persons-turn":
      "A message that gets into a turn that the person started in Codex is not answered by that turn.",
  },
  "DECISIONS.md, A12 (Codex)": {
    "codex:no-forced-hooks": "Codex is never told to trust hooks, and is given none that the person did not trust.",
    "codex:lost-helper-call": "A helper call lost to the argument limit is made good from the session's record.",
  },
  "docs/architecture.md, Turns (Codex)": {
    "codex:own-process": "Codex runs in its own process, never in its background daemon.",
    "codex:helper-of-the-person-kept": "A turn-end helper that the person has set goes on being called.",
    "codex:subagents-end-nothing": "The end of a subagent's turn ends no turn of the terminal.",
    "codex:interrupt-and-error":
      "Esc and a model error end a Codex turn as what they are, though no helper is called then.",
    "codex:listener-while-unheard":
      "A Codex terminal whose helper is switched off, or not heard of any more, is a listener, with the advice of a file mailbox.",
    "codex:relaunch-resumes": "A relaunch goes on with the session that the Codex terminal had.",
    "codex:osc-is-held-against-record":
      "What OSC alone says of a Codex turn's end is held against the session's record.",
  },
} as const;
