/** What is promised of the settings, the completion and the exported trail. */
export const commandLine = {
  Settings: {
    "config:list": "quay config list shows every setting with its value, where it comes from, and its meaning.",
    "config:get-set": "quay config get, set, unset and path read and change one setting in a private file.",
    "config:checked":
      "A value of the wrong form, and a file with a fault, is an error that names it; nothing is written then.",
    "config:unknown-key": "An unknown setting is named, with those that may be meant.",
    "config:person-only": "Inside a terminal of Quay config set and unset are refused.",
    "config:documented": "docs/settings.md lists every setting of the schema with its default.",
  },
  Completion: {
    "completion:verb-table": "Completion knows every verb and flag that the command line has, from the same table.",
    "completion:names": "It completes the names of agents, presets, settings and kinds, and folders.",
    "completion:quoted": "A name with signs of the shell is completed as one quoted word, and never run.",
  },
  Presets: {
    "preset:shipped":
      "tdd-swarm, review-pair, relay-three-clis and research-and-write ship with the package; each can be launched and its dialogue played to the end.",
  },
  "The trail beside the work": {
    "trail:export":
      "quay trail export prints a run as JSON lines, Markdown or a Mermaid sequence diagram, from a live engine or from the store.",
    "trail:export-is-data": "Hostile names and texts stay data in every form.",
  },
} as const;
