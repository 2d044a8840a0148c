/** What is known to go wrong in programs like this one, as promises: per heading, id and behaviour. Data only. */
export const hazards = {
  "HAZARDS, Delivery": {
    "hazard:idle-silent-gets-message": "An idle terminal that prints nothing gets its message at once.",
    "hazard:send-meets-turn-end":
      "A send and a turn's end in one instant, in either order, strand no message and type none twice.",
    "hazard:claimed-before-first-byte":
      "A message is claimed, and the terminal's status read again, before its first byte is typed.",
    "hazard:never-twice":
      "No message is typed twice because busy was not seen: neither with a CLI idle in 5 ms nor with one busy after 8 s.",
    "hazard:swallowed-enter":
      "A swallowed Enter is pressed once more only when the line holds exactly our text and changed; else the entry fails with what was seen.",
    "hazard:busy-is-no-failure": "A message to a busy target waits ten minutes as well as ten seconds.",
    "hazard:input-off-fails":
      "A target that cannot take input fails after bounded tries, and the queue behind goes on.",
    "hazard:same-name-is-another":
      "What was queued for a terminal that ended never reaches one started later under its name.",
    "hazard:bytes-equal-trail":
      "Each text that was typed has its trail entry: what test CLIs received equals the trail.",
    "explain:proof":
      "A delivery can be explained: its bytes and hash, its pane and markers, its times, the screen when it failed.",
    "held:toast": "A message held for a minute raises one toast that says why.",
    "hazard:no-control-keys": "A delivery never sends Escape, C-c, C-u or a bare digit.",
    "hazard:dialog-untouched": "While a terminal waits on a person nothing is typed and no Enter is pressed.",
    "hazard:enter-only-on-echo": "Enter is pressed only while our own text is seen on the line.",
    "hazard:draft-kept":
      "A person's half-typed draft is neither submitted nor lost; the message is held, and trail and screen say so.",
  },
  "HAZARDS, tmux": {
    "hazard:text-is-data":
      "A trailing ;, a leading -, a key's name, #(…), #{…}, $(…), quotes and line breaks are plain text in messages, names, titles, folders and presets.",
    "hazard:one-submission": "A text of several lines is submitted once.",
    "hazard:paste-end-inside": "ESC[201~ inside a text does not end the paste.",
    "hazard:targets-are-ids": "tmux targets are ids, so agent-1 never hits agent-10.",
    "hazard:copy-mode": "A pane in copy mode loses no Enter in silence: the message is held.",
    "hazard:dead-pane-listed-alive": "A program that ended is seen as exited, also when tmux lists its pane as alive.",
    "hazard:user-config-survives": "A user's odd tmux configuration, TMUX, LANG or tiny client changes nothing.",
    "hazard:user-server-as-it-was": "The user's server and options are the same before and after.",
    "hazard:engine-stood-still":
      "An engine that stood still takes what was told meanwhile before it counts a deadline as missed.",
    "hazard:freeze-is-stale": "A tmux silent for five seconds makes terminals stale, never dead.",
    "hazard:dead-server-exits": "A tmux server that died makes its terminals exited within two seconds.",
  },
  "HAZARDS, Status and turns": {
    "hazard:unknown-shown": "Unknown is shown as Unknown, never as idle.",
    "hazard:new-words-degrade": "Words of a newer CLI that are not known make the status Unknown.",
    "hazard:answer-text-changes-nothing": "A printed busy hint, prompt sign or escape sequence changes no turn.",
    "hazard:interrupt-without-hook": "An interrupt that fires no hook still ends the turn.",
    "hazard:subagents-hold-turn": "A turn is not over while its subagents run; background shells do not hold it.",
    "hazard:dialog-without-hook": "A dialog that comes without a hook still makes the terminal waiting.",
    "hazard:no-event-trusted-forever":
      "After 120 s without any sign the state is read again; failing that it is Unknown.",
    "hazard:start-up-dialogs":
      "Start-up dialogs are waiting, with their text; none is confirmed, and the first message is kept.",
  },
  "HAZARDS, Identity and trust": {
    "hazard:sender-from-token": "The sender's name comes from its token, never from what a call says.",
    "hazard:peer-request-rule":
      "The server's instructions say that a peer's message is a request of a peer, not of the user.",
    "hazard:host-and-origin-first": "Host and Origin are checked before anything else, on streams too.",
    "hazard:token-works-alone":
      "A token works for its own live terminal, and the tool's and the event's secret are two.",
    "hazard:forged-header-marked":
      "A line of a body that a reader could take for a header of Quay's or for a system tag is marked, however it is written.",
    "hazard:name-is-no-header":
      "A name that could pass for the person, for Quay or for a header is refused wherever a name comes in.",
    "hazard:own-cli-only":
      "A hook event counts only with its terminal's secret, from its pane and from the one CLI that was started there.",
    "hazard:rate-limit":
      "A swarm at work is never held up by the bridge; a token used in a loop gets 429 and when to come back.",
    "hazard:private-files": "Files are 0600 and folders 0700 from their first byte.",
    "hazard:no-token-in-argv-or-log": "No token stands in an argv, a log or another pane's environment.",
    "hazard:second-engine-named": "A second engine on one state folder is refused with the holder's name.",
    "hazard:kill-leaves-no-lock": "A kill -9 leaves no lock behind.",
  },
  "HAZARDS, Clients and clocks": {
    "hazard:stream-opens-at-once":
      "The answer's stream opens at once and shows progress, so that impatient clients stay.",
    "hazard:retry-recognised": "A caller that gave up and calls again is recognised; its message is not typed twice.",
    "hazard:tools-survive-restart": "After a restart the running agents keep their tools: same port, same token.",
    "hazard:old-mcp-session": "A client with a session id from before the restart carries on.",
  },
  "HAZARDS, Screen and SSH": {
    "hazard:lost-client-ends-nothing": "A lost screen or a SIGHUP ends no agent and no engine.",
    "hazard:stuck-terminal": "A terminal that takes no more bytes delays no hook by more than 50 ms.",
    "hazard:still-screen-no-bytes": "A screen on which nothing changes writes no byte, and none clears the scrollback.",
    "hazard:terminal-sane": "The terminal is usable after the screen ends, also by kill -9.",
    "hazard:stored-controls-inert": "Control bytes of a stored message are inert wherever they are shown.",
    "hazard:wide-characters": "Wide and combining characters keep the columns aligned.",
  },
  "HAZARDS, Swarms and work": {
    "hazard:ended-is-ended": "A program that Quay ends is over, also one that outlives the loss of its terminal.",
    "hazard:crash-is-alone": "One agent's crash leaves the others running.",
    "hazard:missing-cli-reported": "A preset with a missing CLI reports each seat's result and leaves no pane behind.",
  },
  "ARCHITECTURE, Engine and store": {
    "journal:durable-before-answer": "A message is durable before its sender is told anything.",
    "journal:group-commit": "Facts that wait together are committed together, in order.",
    "journal:checkpoint":
      "A checkpoint replaces the facts before it, and a start from it equals a start from all facts.",
    "journal:version": "A fact of a newer version than is known stops the start with a clear error.",
    "restart:readopts": "A restart takes up the live panes again with queue, trail, tokens and port.",
    "restart:waits-abandoned": "Waits of the predecessor end as abandoned; their deliveries go on.",
    "restart:turn-ended-meanwhile": "A turn that ended while the engine was down is known after its restart.",
    "restart:nothing-twice": "An engine killed at any moment types nothing twice after its restart.",
    "wait:circle": "A wait that would close a circle of waits is answered at once, naming the circle.",
    "borders:imports": "Each folder imports only what the table of the architecture allows.",
  },
} as const;
