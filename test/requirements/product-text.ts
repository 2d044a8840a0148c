/**
 * What the product text of the bus promises for Claude Code, shell and demo terminals: per heading, id and behaviour.
 * Data only. What it says of other CLIs and of work orders joins when they are built.
 */
export const productText = {
  "quay-a2a-bus.txt, opening": {
    "bridge:loopback-only": "The bridge listens on 127.0.0.1 and on no other address.",
    "trail:every-message": "Every message on the bus stands on the trail, whoever sent it.",
  },
  "quay-a2a-bus.txt, Peers and Their Levels": {
    "peer:any-can-be-messaged": "A peer of any level can be sent a message.",
    "peer:claude-full":
      "A Claude Code terminal is a full peer: it calls the tools, answers a waiting sender, shows Working and Idle.",
    "peer:listener-limits": "A listener cannot answer a sender who waits, and its status stays Unknown while it lives.",
    "peer:shell-not-listed": "A shell terminal is not a peer: the agent list leaves it out.",
    "peer:shell-skipped-by-broadcast": "A broadcast is never typed into a shell terminal.",
    "peer:claude-mcp-inline": "Claude Code gets the tool server inline by --mcp-config, for that launch only.",
    "peer:claude-plugin-answers":
      "Claude Code's turns and answers are reported by the event-bridge plugin it is launched with.",
    "peer:claude-listener-while-unheard":
      "A Claude Code terminal that shows Unknown because its plugin was not heard counts as a listener.",
    "peer:claude-full-again": "The first word of the plugin makes that terminal a full peer again.",
  },
  "quay-a2a-bus.txt, Reply or File Mailbox": {
    "file-mailbox:reply-is-the-result":
      "With wait_for_reply true an answer inside the time comes back as the result of the tool call.",
    "file-mailbox:no-wait-for-the-rest":
      "With wait_for_reply false the sender goes on at once, and the peer's work may take as long as it likes.",
    "file-mailbox:done-is-idle-and-last-line":
      "What Quay tells agents says that such a job is done when the peer is idle and the file ends with the agreed line; idle alone is not enough.",
    "file-mailbox:listener-last-line-only":
      "What Quay tells agents says that for a listener the last line of the file is the only sign.",
    "file-mailbox:status-can-be-polled":
      "quay_get_agent_status shows a peer working through its job and idle after it, as often as it is asked.",
  },
  "quay-a2a-bus.txt, A Reply, Step by Step": {
    "wait:at-most-60s-from-call":
      "A wait is over at the latest 60 seconds after its call came in (58 here, so that clients hear it).",
  },
  "quay-a2a-bus.txt, How a Target Is Matched": {
    "target:same-for-send-and-status":
      "quay_send_message and quay_get_agent_status match a target by one and the same rule.",
    "target:exact-id": "A terminal id matches when it is exactly equal.",
    "target:exact-session-name": "A session name matches when it is exactly equal.",
    "target:nothing-else": "Run kind, part of a name, part of an id and another letter case match nothing.",
    "target:id-in-any-project": "A terminal id reaches its terminal in whatever project it is.",
    "target:id-of-exited-status": "The status of an exited terminal can be asked by id, and is exited.",
    "target:id-of-exited-refuses-message": "A message to the id of an exited terminal is refused at once.",
    "target:session-name-live-only": "A session name matches live terminals only.",
    "target:name-only-exited":
      "A name that only exited terminals carry is refused, and the refusal says that they exited.",
    "target:callers-project-first":
      "A name is looked up in the caller's project first; the same name elsewhere does not make it ambiguous.",
    "target:other-projects-second":
      "Other projects are searched only when the caller's has no live terminal of that name.",
    "target:ambiguous":
      "Two live matches in one search are refused as ambiguous, with both listed and the advice to pass the id.",
    "target:unknown-lists-live-peers": "Anything else is refused at once with the list of live peers.",
    "target:refused-leaves-no-trace": "A refused call sends nothing, waits on nothing and leaves no trail entry.",
  },
  "quay-a2a-bus.txt, How a Message Is Delivered": {
    "deliver:header": "A peer's message is typed as [Peer agent (<sender>)]: <message>, with its Enter.",
    "deliver:between-turns": "A Claude Code terminal is typed on only between turns.",
    "deliver:one-per-turn":
      "One message per turn: the next queued one is not typed before the turn of the first has ended.",
    "deliver:queued-while-starting": "A message to a terminal that is starting waits in its queue.",
    "deliver:queued-while-working": "A message to a terminal that is working waits in its queue.",
    "deliver:queued-while-waiting": "A message to a terminal with an open approval or other prompt waits in its queue.",
    "deliver:next-at-turn-end":
      "When the turn ends the next queued message is typed, and its entry moves from Queued to Dispatched.",
    "deliver:at-once-to-listener": "A message to a listener is typed at once.",
    "deliver:at-once-while-plugin-silent":
      "A message to a Claude Code terminal whose plugin does not report is typed at once.",
    "deliver:untypable-fails-the-call":
      "When a message that is to be typed at once cannot be typed, the call fails and says why.",
    "deliver:untypable-queued-fails-on-trail": "A queued message that cannot be typed shows Failed on the trail.",
    "deliver:self-refused": "A message to the caller itself is refused.",
    "deliver:exited-refused": "A message to a terminal that has exited is refused.",
  },
  "quay-a2a-bus.txt, The MCP Tools": {
    "tools:server-name": "The tool server is called quay-a2a.",
    "tools:at-quay-mcp-url": "Each peer terminal finds the tools at the QUAY_MCP_URL of its environment.",
    "tools:token-required": "A call without a bearer token, or with one that is nobody's, is rejected.",
    "tools:live-terminal-only": "The token of a terminal that has exited is rejected.",
    "tools:reference-checked":
      "The tool reference is compared with the server's list; any difference in tools or parameters fails the build.",
  },
  "quay-a2a-bus.txt, quay_list_agents": {
    "tool:list-agents:every-peer": "Lists every peer of every project, exited ones included.",
    "tool:list-agents:no-parameters": "Takes no parameters.",
    "tool:list-agents:text": "Answers with the line Active Quay Agents: followed by a JSON array.",
    "tool:list-agents:fields":
      "Each agent has terminal_id, name, task_title, run_kind, level, status, current_tool, auto_approved_count and project_path, in that order.",
    "tool:list-agents:status-words": "status is one of starting, working, waiting, idle, exited, unknown.",
    "tool:list-agents:level-words":
      "level is one of full peer, responder, listener, and listener for Claude Code while its plugin is unheard.",
  },
  "quay-a2a-bus.txt, quay_send_message": {
    "tool:send-message:parameters":
      "Takes target_terminal_id and message, both required strings, and the optional boolean wait_for_reply.",
    "tool:send-message:waits-by-default": "Without wait_for_reply the call waits for the reply.",
    "tool:send-message:waits-for-its-own-turn": "The reply is the answer of the very turn that the message started.",
    "tool:send-message:time-includes-queue":
      "The time of a wait counts from the call, so time in the queue and time of typing are part of it.",
    "tool:send-message:no-wait-answers-on-delivery":
      "With false the call returns once the message is delivered or queued.",
    "tool:send-message:dispatched-text": "Without a wait the answer is Successfully dispatched task to <name>.",
    "tool:send-message:reply-text": "A reply reads Reply from <name>: followed by the peer's answer.",
    "tool:send-message:still-working-text":
      "A wait that ran out on a working peer answers Peer agent (<name>) received the task but is still working.",
    "tool:send-message:still-queued-text":
      "A wait that ran out in the queue answers Your message to peer agent (<name>) is queued behind its current turn and will be delivered when that turn ends.",
    "tool:send-message:run-out-suggests-status":
      "Both answers of a wait that ran out go on to suggest quay_get_agent_status.",
    "wait:run-out-notes-the-trail":
      "The entry of a wait that ran out stays Queued or Dispatched with the note No reply within 60s.",
    "wait:late-answer-fills-the-trail":
      "The late answer fills in the trail entry when the turn that the message started ends.",
    "wait:late-answer-is-not-sent": "The sender of a wait that ran out never gets the late answer.",
    "wait:never-on-who-cannot-reply":
      "No wait runs on a peer that cannot reply; its message is delivered all the same.",
    "wait:listener-suggests-file-mailbox":
      "On a listener the answer comes at once, says that it cannot reply and suggests a file mailbox.",
    "wait:silent-plugin-gives-remedy":
      "On a Claude Code terminal whose plugin does not report the answer comes at once with the line that cures it.",
    "wait:ends-when-plugin-is-lost":
      "A running wait ends with that same answer when its Claude Code terminal turns Unknown.",
    "wait:ends-when-target-exits": "A running wait ends when its target exits, and says so.",
    "wait:settles-once": "Whatever happens together, a call is answered exactly once.",
  },
  "quay-a2a-bus.txt, quay_broadcast": {
    "broadcast:header": "A notice is typed as [Broadcast Notice]: <text>.",
    "broadcast:others-in-the-project":
      "It reaches every other running peer of the caller's project and no peer of another.",
    "broadcast:never-the-caller": "The caller does not get its own notice.",
    "broadcast:worktree-is-a-project": "A broadcast from a worktree's terminal stays in that worktree.",
    "broadcast:typed-like-a-message":
      "A peer in a turn gets the notice when that turn ends, as with quay_send_message.",
    "broadcast:no-reply": "Nobody waits on a broadcast: its call returns without the answers.",
    "broadcast:toast": "One toast names the sender: Swarm Broadcast from <sender>.",
    "broadcast:one-entry-per-peer":
      "The trail has one entry per peer reached, credited to the sender and tagged Broadcast.",
    "tool:broadcast:parameters": "Takes one required string, text.",
    "tool:broadcast:reached-text": "Answers Sent your notice to <n> peers in your project: <names>.",
    "tool:broadcast:holding-text":
      "The answer goes on to name the peers that hold the notice until their current turn ends.",
    "tool:broadcast:failed-text": "The answer names the peers that it could not be typed into.",
    "tool:broadcast:nobody-text":
      "With no other running peer in the project the answer says that nobody got the notice.",
  },
  "quay-a2a-bus.txt, quay_get_agent_status": {
    "tool:agent-status:parameters": "Takes one required string, terminal_id.",
    "tool:agent-status:text":
      "Answers one line: Agent <id>: name='…', level=…, status=…, task='…', tool='…', auto_approved=…, project='…'.",
    "tool:agent-status:status-words": "The status is in the lower-case words of quay_list_agents.",
    "task:first-line-of-latest-prompt":
      "The task is the first line of the prompt that started the latest turn, cut to 32 characters.",
    "task:without-peer-header": "The task leaves out the [Peer agent (<name>)]: header that a message arrives with.",
  },
  "quay-a2a-bus.txt, Recipe 1: A TDD Relay": {
    "recipe:tdd-swarm-seats":
      "The TDD Swarm preset has test-architect, feature-impl, test-runner and reviewer; test-runner is a shell, the others are Claude Code.",
    "recipe:hand-off-without-waiting": "test-architect hands the failing tests to feature-impl without a wait.",
    "recipe:hand-off-at-turn-end": "feature-impl gets the hand-off when its turn ends.",
    "recipe:green-is-a-new-message": "feature-impl makes the tests pass and sends GREEN back as a message of its own.",
    "recipe:relay-done": "test-architect gets GREEN, runs the tests again and ends with RELAY DONE.",
    "recipe:trail-shows-both": "The trail shows both hand-offs.",
  },
  "quay-a2a-bus.txt, Mission Control": {
    "mission-control:key": "The tmux prefix followed by M shows Mission Control.",
    "mission-control:closed-by-esc":
      "Esc, as q, closes what the key opened: the person sees what they saw before, and the screen goes on for others.",
    "mission-control:send-as-you":
      "A person picks a recipient, types a message and dispatches it; the trail shows it as from You.",
    "mission-control:listener-tag":
      "The agent list tags a listener, and a Claude Code terminal without its plugin with the reason.",
    "mission-control:broadcast-as-you":
      "A person's broadcast reaches every running peer of the active project; entries and toast credit You.",
    "trail:newest-first": "The trail lists the newest entry first.",
    "trail:joins-when-typed-or-queued":
      "A message joins the trail when it is typed, or before that as Queued when it waits in the queue.",
    "trail:waited-shows-on-delivery": "A message with a wait shows when it is delivered, not when its reply lands.",
    "trail:toast-when-typed": "A message's toast appears when it is typed in, not when it is queued.",
    "trail:reply-fills-in": "The reply fills in its entry when the target's turn ends.",
    "trail:statuses": "An entry is Queued, Dispatched once typed, Completed when its turn ends, or Failed.",
    "trail:timer-counts-from-delivery": "A Dispatched entry counts up from its delivery.",
    "trail:queued-has-no-timer": "A Queued entry shows no timer.",
    "trail:completed-shows-turn-time": "A Completed entry shows how long its turn took.",
    "trail:blind-has-no-timer": "A Dispatched entry to a peer whose turn end cannot be seen shows no timer.",
    "trail:label-reply": "A response to a sender who waits, or to a message from Mission Control, is labelled Reply:.",
    "trail:label-answer": "A response that nobody waited on, a notice's included, is labelled Answer:.",
    "trail:label-late-answer": "The late answer to a wait that ran out is labelled Answer:.",
  },
} as const;
