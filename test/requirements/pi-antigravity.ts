/** What is promised of PiG, Pi and Antigravity terminals: per heading, id and behaviour. Data only. */
export const piAntigravity = {
  "quay-a2a-bus.txt, Peers and Their Levels (PiG, Pi, Antigravity)": {
    "peer:pig-extension":
      "PiG loads Quay's extension for the session: it registers the tool server and reports each turn's start and end, with its answer.",
    "peer:pig-listener-while-unheard":
      "A PiG terminal counts as a listener while it shows Unknown, unheard in the 30 seconds after its first output.",
    "peer:pig-full-again": "The first word of the extension makes that terminal a full peer again.",
    "peer:pi-listener": "A Pi terminal is a listener, launched with the user's own command line alone.",
    "peer:antigravity-responder":
      "An Antigravity terminal is a responder without tools: its status and its answers are read from OSC 7501.",
  },
  "quay-a2a-bus.txt, How a Message Is Delivered (PiG, Antigravity)": {
    "deliver:pig-unheard-at-once": "A message to a PiG terminal whose extension is not reporting is typed at once.",
    "deliver:antigravity-between-turns": "An Antigravity terminal is typed on only between turns, once per message.",
  },
  "quay-a2a-bus.txt, quay_send_message (PiG, Antigravity)": {
    "tool:send-message:pig-version":
      "With the extension silent the answer names the version that Quay was tested with and asks for pig --version; a wait that runs ends so.",
    "responder:answer-at-turn-end": "The answer of a responder is the text that it reports when its turn ends.",
    "responder:cut-off-note": "An answer that fills its 199 characters comes with a note that it is cut off.",
    "responder:blocked-is-the-answer": "A turn that stops on a prompt answers with what it waits on.",
  },
  "quay-a2a-bus.txt, Mission Control (Antigravity)": {
    "responder:tagged": "The agent list tags a responder Responder.",
  },
  "DECISIONS.md, A11 (Pi)": {
    "peer:pi-full-by-setting": "The setting adapters.pi.level makes Pi a full peer with PiG's extension.",
    "settings:level-choice": "A level that a CLI does not have is an error that names it.",
  },
  "docs/architecture.md, Turns (PiG, Pi, Antigravity)": {
    "pi:run-is-one-turn":
      "A run of Pi with its retries and what was typed into it is one turn, and ends when it settles.",
    "pi:interrupt-and-error": "Esc and a model error end a run as what they are.",
    "pi:dialogs-of-extensions": "A dialog of a Pi extension is waiting, and is over when it is answered.",
    "pi:session-replaced": "A new session in Pi ends the turn of the old one as cleared.",
    "pi:state-told-again": "While a run or a dialog is open the extension tells of it again, each minute.",
    "pi:events-kept": "Events that cannot be written are kept and written later, in order.",
    "responder:interrupt-and-error": "OSC idle in a turn is an interrupt, OSC error a failed turn.",
    "responder:unknown-after-gap":
      "A responder is Unknown after a gap until it reports again; it is typed on, and the turn that ran may still end.",
    "responder:never-heard":
      "A responder that printed no OSC 7501 within 30 seconds of its first output is Unknown and a listener.",
  },
} as const;
