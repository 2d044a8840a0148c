/** What the machine and the state folder are like, and what follows for Quay. Pure. */
import type { MachineFacts, StateFacts } from "./facts.js";
import { type Finding, ok, problem, warning } from "./finding.js";

const NODE = { major: 20, minor: 19 };
const MB = 1024 * 1024;
/** Below the first nothing may fit any more, below the second a long run may not; bytes. */
const DISK_PROBLEM = 100 * MB;
const DISK_WARNING = 1024 * MB;

const checkNode = (version: string): Finding => {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const isEnough = major > NODE.major || (major === NODE.major && minor >= NODE.minor);
  return isEnough
    ? ok("machine.node", `Node ${version.replace(/^v/, "")} runs Quay.`)
    : problem("machine.node", `Node ${version} is too old.`, `Install Node ${NODE.major}.${NODE.minor} or later.`);
};

const checkLocale = (locale: string | null): Finding =>
  locale !== null && /utf-?8/i.test(locale)
    ? ok("machine.locale", `The locale is UTF-8 (${locale}).`)
    : warning(
        "machine.locale",
        `The locale is ${locale === null ? "not set" : locale} and not UTF-8. Quay tells tmux to use UTF-8 all the same, but an agent's CLI may show and read other letters as question marks.`,
        "Set LANG to a UTF-8 locale, such as `export LANG=C.UTF-8`, before you start Quay.",
      );

const checkCurl = (hasCurl: boolean): Finding =>
  hasCurl
    ? ok("machine.curl", "curl is there: an agent's events arrive at once.")
    : warning(
        "machine.curl",
        "curl is missing: an agent's events are not lost, but each arrives within a second and not at once.",
        "Install curl.",
      );

const LINGER = "Run `loginctl enable-linger`: your processes may then outlive your login.";

const checkLogout = (logout: MachineFacts["logout"]): Finding => {
  if (logout === null) return ok("machine.logout", "No logind ends your processes at logout.");
  if (logout.lingers === true || logout.killsProcesses === false) {
    const why = logout.lingers === true ? "lingering is enabled" : "KillUserProcesses is off";
    return ok("machine.logout", `Agents outlive a logout: ${why}.`);
  }
  return logout.killsProcesses === true
    ? problem(
        "machine.logout",
        "logind ends all your processes when you log out (KillUserProcesses=yes), tmux and its agents too.",
        LINGER,
      )
    : warning(
        "machine.logout",
        "It cannot be seen whether logind ends your processes at logout, and lingering is not enabled.",
        LINGER,
      );
};

export const checkMachine = (machine: MachineFacts): readonly Finding[] => [
  checkNode(machine.node),
  checkLocale(machine.locale),
  checkCurl(machine.curl),
  ...(machine.platform === "linux" ? [checkLogout(machine.logout)] : []),
];

const size = (bytes: number): string =>
  bytes >= 1024 * MB ? `${(bytes / (1024 * MB)).toFixed(1)} GB` : `${Math.floor(bytes / MB)} MB`;

const checkDisk = ({ home, freeBytes }: StateFacts): readonly Finding[] => {
  if (freeBytes === null) return [];
  const advice = "Free some space, or move the state with --home DIR or QUAY_HOME.";
  if (freeBytes < DISK_PROBLEM) {
    return [
      problem("state.disk", `Only ${size(freeBytes)} are free where ${home} is: a message may not be stored.`, advice),
    ];
  }
  return freeBytes < DISK_WARNING
    ? [warning("state.disk", `${size(freeBytes)} are free where ${home} is.`, advice)]
    : [ok("state.disk", `${size(freeBytes)} are free where the state is.`)];
};

const octal = (mode: number): string => mode.toString(8).padStart(4, "0");

const checkRights = ({ home, exists, isForeign, open }: StateFacts): Finding => {
  if (!exists) return ok("state.rights", `There is no state yet; it will be in ${home}.`);
  if (isForeign) {
    return problem(
      "state.rights",
      `${home} belongs to another user.`,
      "Choose another folder with --home DIR or QUAY_HOME.",
    );
  }
  const [first] = open;
  if (first === undefined) return ok("state.rights", `The state in ${home} is yours alone.`);
  const more = open.length > 1 ? `, and ${open.length - 1} more` : "";
  return problem(
    "state.rights",
    `Other users of this machine may use ${first.path} (mode ${octal(first.mode)}${more}). It holds tokens or messages.`,
    `Run \`chmod -R go= ${home}\`, and look who changed it.`,
  );
};

export const checkState = (state: StateFacts): readonly Finding[] => [
  checkRights(state),
  ...checkDisk(state),
  ...(state.isNetwork
    ? [
        warning(
          "state.network",
          `${state.home} is on a network file system, on which locks and the store's log may fail.`,
          "Keep the state on a local disk: --home DIR or QUAY_HOME.",
        ),
      ]
    : []),
  ...(state.settingsFault === null
    ? []
    : [
        problem(
          "state.settings",
          `The settings cannot be used: ${state.settingsFault}.`,
          "Mend the file, or remove it.",
        ),
      ]),
];
