/** The generated table of docs/settings.md: the settings as their schema describes them. Pure. */
import type { LevelChoices } from "./settings.js";
import { knownSettings } from "./settings-file.js";

const KIND = "KIND";

/** One row for each key; the kinds share theirs, and a choice of level is the kind's own. */
export const settingsPage = (kinds: readonly string[], levels: LevelChoices = {}): string => {
  const [first] = kinds;
  const shared = knownSettings(first === undefined ? [] : [first]);
  const choices = knownSettings(Object.keys(levels), levels).filter(({ key }) => key.endsWith(".level"));
  const rows = [...shared, ...choices].map(({ key, about, byDefault }) => {
    const name = key.replace(`adapters.${first}.`, `adapters.${KIND}.`);
    return `| \`${name}\` | \`${JSON.stringify(byDefault)}\` | ${about.replaceAll("|", "\\|")} |`;
  });
  const listed = kinds.map((kind) => `\`${kind}\``).join(", ");
  return `| key | default | meaning |\n| --- | --- | --- |\n${rows.join("\n")}\n\n${KIND} is one of ${listed}.`;
};
