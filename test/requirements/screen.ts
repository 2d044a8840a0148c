/** Promises of Mission Control beyond the product text: what a person with ten agents needs on it. */
export const screen = {
  "mission control, who waits": {
    "screen:waiting-first":
      "Who waits on a person is counted first and listed first, with the text of its prompt, at every size.",
    "screen:jump-to-waiting": "One key opens the terminal of the agent that has waited the longest.",
  },
  "mission control, preview": {
    "screen:preview":
      "An agent's screen is seen live with its colours, only while that is open; what it shows cannot act on the terminal.",
    "screen:colours":
      "No more colours are sent than the terminal has: a preview's are brought down to 256 or 16, and with NO_COLOR there are none.",
  },
  "mission control, deeds": {
    "screen:end-asks": "Ending a running agent, or starting it anew, asks first; any answer but yes changes nothing.",
    "screen:relaunch": "An exited agent is started again by one key, and dropped from the list by another.",
    "screen:cancel-queued": "A queued message is cancelled by one key; any other says why it cannot be.",
    "screen:type-now":
      "A message held by its line shows why, and one key has the line looked at anew; a line that is not free holds it again.",
    "screen:copy":
      "The response of an entry, or its message, goes to the clipboard: through tmux inside it, by OSC 52 outside.",
  },
  "mission control, palette": {
    "screen:palette":
      "Ctrl+K lists every action with its key, presets and kinds of agents to launch, and agents to go to; typing narrows it.",
    "screen:launch-preset":
      "A preset is launched from the palette, its seats are counted as they come, and each seat's result is shown.",
    "screen:bad-preset": "A preset file that cannot be used is in the palette with its error.",
    "screen:launch-one": "A single agent is launched from the palette, under a name that is asked for.",
  },
  "mission control, search and detail": {
    "screen:search": "Agents and trail are searched by words; Esc shows all again.",
    "screen:proof": "An entry opens with its full message, answer, times, and the proof of its delivery.",
    "screen:from": "A message can be sent in the name of any running agent.",
    "screen:history": "A text that was sent can be had back.",
  },
  "mission control over SSH": {
    "screen:thrift":
      "With twenty agents of which one works: at most 200 bytes a second for a visible timer, under 4 KB for a key (8 KB where every row of a full trail changes), no full clear.",
    "screen:lost-line": "A terminal that hangs up ends its screen alone: engine and agents go on.",
    "screen:killed":
      "A screen that is killed leaves its terminal sane and the agents running, and quay comes back to the same.",
    "screen:second-login": "A second login gets a screen of its own on the same engine.",
    "screen:first-minutes":
      "A newcomer starts quay, launches a preset from the palette, sends, watches, leaves and comes back to the same.",
  },
} as const;
