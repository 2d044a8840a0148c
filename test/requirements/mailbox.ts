/** What the mailbox promises, sentence by sentence of its product text: per heading, id and behaviour. Data only. */
export const mailbox = {
  "Mailbox, Authenticate": {
    "mailbox:bearer-key":
      "A client comes in with a key of its account as a bearer token, on the same address as every other tool.",
    "mailbox:nine-tools": "The nine tools have the text's names and arguments.",
    "mailbox:tools-by-credential":
      "A key has the nine tools alone; a terminal of Quay has them beside those of the bus, by its own token, on the machine's account.",
    "mailbox:one-namespace":
      "One account is one namespace: an agent sees the agents and messages of its own account alone.",
    "mailbox:not-found":
      "A forged and a foreign id answer not found in the same words, by every argument of every tool.",
    "mailbox:key:hashed": "A key is told once and stored as a hash; a revoked one is refused from the next request on.",
  },
  "Mailbox, Register an identity": {
    "mailbox:register:fields":
      "agent_register takes name, description, kind and sessionLabel, and all but the name may be left out.",
    "mailbox:register:name":
      "A name is lower case, spaces and underscores become a hyphen, all but letters, digits and hyphens goes, at most 64; nothing left is an error.",
    "mailbox:register:idempotent":
      "The same name always returns the same agent id; fields that are left out keep their value.",
    "mailbox:register:answer": "agent_register returns agentId and sessionId.",
  },
  "Mailbox, Sessions": {
    "mailbox:session:minted":
      "The server mints session ids: one that a client invents, or another agent's, is not found.",
    "mailbox:session:resume": "A sessionId resumes its session; without one a new session starts.",
    "mailbox:session:label": "sessionLabel names the work in the session.",
    "mailbox:active:five-minutes": "An agent is active for 5 minutes after its last mailbox call.",
    "mailbox:active:every-call":
      "Every mailbox call stamps activity; one without agentId stamps the agent registered on that connection.",
  },
  "Mailbox, Discover other agents": {
    "mailbox:list:order": "agent_list is the account's agents, most recently active first.",
    "mailbox:list:row": "A row has id, name, description, kind, active, unread count and session count.",
    "mailbox:list:narrow": "query is a substring of name or description in any case; onlyActive leaves the others out.",
    "mailbox:get": "agent_get fetches one agent by id or name, with its recent sessions.",
  },
  "Mailbox, Send messages": {
    "mailbox:send:thread": "send_message starts a new thread and answers with its threadId.",
    "mailbox:send:to": "to is a registered agent of the account, by its id or its exact stored name.",
    "mailbox:cap:subject": "A subject is one line of at most 200 characters.",
    "mailbox:cap:content": "Content is at most 50,000 characters, and not empty.",
    "mailbox:cap:metadata": "metadata is a JSON object of at most 8,192 bytes.",
    "mailbox:cap:characters": "Characters are code points: an emoji is one.",
    "mailbox:reply:inherits": "A reply inherits the thread and the scan context of the message it answers.",
    "mailbox:reply:to": "A reply answers any message that one sent or received, and goes to the other party.",
    "mailbox:reply:unseen": "One cannot reply into a thread that one cannot see.",
  },
  "Mailbox, Read the inbox": {
    "mailbox:pull": "A stored message is delivered: nothing pushes, and an agent that was away misses nothing.",
    "mailbox:inbox:newest": "get_mailbox returns the newest messages, newest first; 20 of them, and at most 100.",
    "mailbox:inbox:senders": "get_mailbox has a summary per sender with totals and unread counts.",
    "mailbox:inbox:unread-only": "unreadOnly leaves out what is marked read.",
    "mailbox:inbox:cut": "Lists cut content at 1,000 characters and say how long the whole is.",
    "mailbox:thread:whole":
      "get_messages returns one thread, oldest first, with full content, by threadId or a messageId of it.",
    "mailbox:thread:since": "since keeps only newer messages, takes any offset of RFC 3339, and pages without loss.",
    "mailbox:thread:limit": "get_messages returns 50, and at most 200.",
    "mailbox:message": "get_message returns one message with its full body.",
    "mailbox:visibility": "A message can be read by its sender and its recipient; anybody else gets not found.",
    "mailbox:limit": "A limit above the cap is clamped; below 1 it is an error that names the field.",
    "mailbox:one-of": "Of two arguments that name one thing exactly one is to be sent.",
  },
  "Mailbox, Track message state": {
    "mailbox:mark:count": "mark_message takes 1 to 100 ids.",
    "mailbox:mark:forward": "ack implies read, state only moves forward, and repeated calls are safe, in any order.",
    "mailbox:mark:per-id":
      "Each id is answered with its readAt and ackAt; one that is foreign, or was sent by oneself, fails alone.",
    "mailbox:mark:only": "Reading marks nothing: only mark_message does.",
  },
  "Mailbox, Scan context": {
    "mailbox:scan": "scanId labels a message and travels with it; it changes nothing else.",
  },
  "Mailbox, Agent collaboration": {
    "mailbox:dialogue":
      "The lead hands a task over, the worker answers in the thread and acks, the lead reads the answer.",
  },
  "Mailbox, command line": {
    "mailbox:cli:read":
      "quay mailbox ls and read show agents, threads and messages, inert, and mark nothing unless asked.",
    "mailbox:cli:send":
      "quay mailbox send writes as the agent person, as another that is named, or inside a terminal as that terminal.",
    "mailbox:cli:inside":
      "Inside a terminal accounts, keys, checks and pruning are refused, and only its own mail is shown.",
    "mailbox:cli:key": "quay mailbox key new prints the key alone and once; list shows none; revoke ends it.",
    "mailbox:cli:prune": "quay mailbox prune says first what it would delete, and deletes only when it is told to.",
    "mailbox:cli:check": "quay mailbox check names each wrong counter and exits 1; --fix puts them right.",
    "mailbox:cli:connect": "quay mailbox connect prints the lines for a client, and no key stands in them.",
  },
  "Mailbox, running peers": {
    "mailbox:screen":
      "Mission Control shows the mailbox: agents, where they run, what is unread, threads; looking marks nothing.",
    "mailbox:arrival:shown": "Mail for an agent that runs in a terminal is shown to people; nothing is typed.",
    "mailbox:notify":
      "With mailbox.notify one short notice is typed between turns, with its trail entry, and one is enough while it waits.",
    "mailbox:notify:hops": "A circle of agents that answer each other's mail ends after 32 hand-offs.",
  },
  "Mailbox, storage": {
    "mailbox:durable": "A message is on disk before its sender is told: a kill of the process loses none.",
    "mailbox:ten-clients": "Ten clients with 200 mixed calls each meet no error and no lock.",
    "mailbox:check": "A check counts the kept counters anew, names each difference, and can put it right.",
    "mailbox:prune":
      "Pruning deletes whole threads that are older than asked for, tells their number first, and keeps the counts right.",
    "mailbox:counts":
      "Unread counts agree in the list of agents, in the summary per sender, and with the messages themselves.",
  },
} as const;
