/**
 * A real Claude Code without a person: its folder seeded so that no first-run dialog opens, an environment that keeps
 * it quiet, a made-up key and the scripted model. Source: facts/claude-code.md section 1.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { programOf } from "./programs.js";
import { type CliSetUp, MADE_UP_KEY, type Permissions, type Room } from "./room.js";

export type ClaudeOptions = {
  readonly permissions?: Permissions;
  /** The person has switched hooks off. */
  readonly hooksOff?: boolean;
  /** A Stop hook of the person's own, as a command line. */
  readonly stopHook?: string;
  /** false: Quay leaves out its event bridge. */
  readonly bridge?: boolean;
};

export const claudeFolder = (room: Room): string => join(room.home, ".claude");

export const claudeCode =
  ({ permissions = "allow", hooksOff = false, stopHook, bridge = true }: ClaudeOptions = {}): CliSetUp =>
  (room) => {
    const known = (): Record<string, unknown> => {
      try {
        return JSON.parse(readFileSync(join(claudeFolder(room), ".claude.json"), "utf8")) as Record<string, unknown>;
      } catch {
        return {};
      }
    };
    const change = (fields: Readonly<Record<string, unknown>>): void =>
      void room.seed(".claude/.claude.json", { ...known(), ...fields });

    change({ hasCompletedOnboarding: true, customApiKeyResponses: { approved: [MADE_UP_KEY], rejected: [] } });
    // The person's own settings, as Quay finds them: it changes nothing of them.
    room.seed(".claude/settings.json", {
      permissions: { allow: permissions === "allow" ? ["Bash", "Write", "Edit", "Read"] : [] },
      ...(hooksOff ? { disableAllHooks: true } : {}),
      ...(stopHook === undefined ? {} : { hooks: { Stop: [{ hooks: [{ type: "command", command: stopHook }] }] } }),
    });
    return {
      kind: "claude",
      env: {
        CLAUDE_CONFIG_DIR: claudeFolder(room),
        ANTHROPIC_BASE_URL: room.modelUrl,
        ANTHROPIC_API_KEY: MADE_UP_KEY,
        IS_SANDBOX: "1",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1",
        CLAUDE_CODE_MAX_RETRIES: "1",
        DISABLE_AUTOUPDATER: "1",
      },
      settings: {
        // The person's own way to start it: in manual mode, which needs no model of its vendor's to judge tools.
        command: room.program("claude", [...programOf("claude"), "--permission-mode", "manual"]),
        bridge,
      },
      trust: (folder) =>
        change({
          projects: { ...(known().projects as object | undefined), [folder]: { hasTrustDialogAccepted: true } },
        }),
    };
  };
