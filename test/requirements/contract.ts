/**
 * What a real CLI shows when it is driven through Quay: the capabilities of the matrix in docs/cli-flags.md. Per
 * capability, id and behaviour. Data only; the cases are in test/e2e/contract.
 */
export const contract = {
  "A2A bus, Peers and Their Levels": {
    "contract:starts": "The CLI starts unattended and becomes idle, at its level.",
    "contract:states": "Its status is seen as idle, working and waiting.",
    "contract:reply": "A sender that waits gets the answer of the turn that its message started.",
    "contract:three-clis":
      "Claude Code asks Codex, Codex asks OpenCode, and each gets its answer as the result of its call; the trail shows it.",
    "contract:unreported": "With its reporter switched off it is what the text says, and a waiting sender hears that.",
  },
  "A2A bus, How a Message Is Delivered": {
    "contract:between-turns": "A message to a working agent is typed once, when its turn has ended.",
    "contract:text-exact": "10,000 characters and a text of many lines reach the model as they were sent.",
    "contract:dialog-untouched": "Nothing is typed into an approval dialog; what waits is typed when it is gone.",
    "contract:own-turn": "A turn that the person started does not answer a message.",
  },
  "A2A bus, The MCP Tools": {
    "contract:late-answer": "An answer after the 60 seconds of the wait stands on the trail.",
    "contract:exit": "Its exit is noticed, and a message to it is refused.",
  },
  "DECISIONS, A5 endings without an answer": {
    "contract:interrupted": "An interrupt in its pane ends the turn as interrupted.",
    "contract:model-error": "A model error ends the turn as failed, with the error's text.",
  },
  "HAZARDS, restarts": {
    "contract:restart": "A turn in whose middle Quay was killed and started again ends with its answer.",
  },
} as const;
