/** What the product text and the decisions promise of listeners and of the terminals beside the agents. Data only. */
export const listeners = {
  "A2A bus, Peers and Their Levels: the listeners": {
    "listener:kinds": "Copilot, Kiro, Gemini, Grok and Aider are listeners.",
    "listener:own-flags": "A listener is launched with the person's own flags and gets no wiring of Quay's.",
    "listener:not-peers-beside": "A custom command and Archon are no peers, as a shell is none.",
    "listener:starts": "The real CLI starts unattended and is Unknown until it has exited.",
    "listener:text-exact": "Texts of any length and form reach the model of a real listener as they were sent.",
    "listener:at-once": "A message to a working listener is typed at once.",
    "listener:wait-ends": "A wait on a listener ends at once with the advice of a file mailbox; the message is typed.",
    "kill:nothing-left":
      "Ending a terminal ends its program and its children, also when they do not end with their pane.",
    "listener:exit": "The exit of a listener is noticed.",
  },
  "DECISIONS, A11 listeners": {
    "listener:typed-when-it-takes-text":
      "A listener is typed on once it has asked for bracketed paste or been quiet for 1 s after its first output, after 10 s at most.",
  },
} as const;
