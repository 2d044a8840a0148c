/** What is promised of OpenCode terminals: per heading, id and behaviour. Data only. */
export const opencode = {
  "quay-a2a-bus.txt, Peers and Their Levels (OpenCode)": {
    "peer:opencode-full":
      "An OpenCode terminal is a full peer: it calls the tools, answers a waiting sender, shows Working and Idle.",
    "peer:opencode-config-content": "OpenCode gets the tool server through OPENCODE_CONFIG_CONTENT.",
    "peer:opencode-server-read": "Quay reads OpenCode's turns from the server that its TUI runs.",
  },
  "quay-a2a-bus.txt, How a Message Is Delivered (OpenCode)": {
    "deliver:opencode-between-turns": "An OpenCode terminal is typed on only between turns, once per message.",
    "deliver:opencode-unreached-at-once":
      "A message to an OpenCode terminal whose server Quay could not reach is typed at once.",
  },
  "quay-a2a-bus.txt, quay_send_message (OpenCode)": {
    "opencode:answer-is-the-reply-to-it":
      "An OpenCode peer's answer is the text of its reply to that message, read once its main session goes idle.",
    "opencode:subagents-end-nothing": "Subagent sessions begin and end no turn of an OpenCode terminal.",
  },
  "docs/architecture.md, Turns (OpenCode)": {
    "opencode:persons-configuration-kept":
      "The person's own OPENCODE_CONFIG_CONTENT, port, host name, password and session stay in force; Quay only adds.",
    "opencode:waiting":
      "An approval or a question of OpenCode's, a subagent's too, shows as waiting until it is answered.",
    "opencode:endings": "An interrupt, a model error and a refused approval end an OpenCode turn as what they are.",
    "opencode:new-session": "A new session in an OpenCode terminal clears the turn of the old one.",
    "opencode:gap-made-good":
      "What OpenCode did while Quay was away is read from its server, each answer by its message.",
    "opencode:hung-start-noticed": "An OpenCode whose server does not answer 30 s after its start is a listener.",
    "opencode:unreached-says-so":
      "An OpenCode terminal whose server cannot be reached is a listener, and says what helps.",
    "opencode:heard-again": "It is a full peer again once its server answers.",
    "opencode:relaunch-resumes": "A relaunch goes on with the session that the OpenCode terminal had.",
  },
  "docs/security.md, Tokens and files (OpenCode)": {
    "opencode:server-private":
      "OpenCode's server is asked on 127.0.0.1 only, behind a password that stands in no argv and in a private file while its terminal lives.",
  },
} as const;
