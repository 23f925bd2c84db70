import { userInfo } from "node:os";
import { join } from "node:path";
import { HubError } from "../../model/errors.js";
import type { CliIo } from "../cli-io.js";
import { quoteWord } from "../quote-word.js";
import { isOurPlist, labelOf, readPlist, renderPlist } from "./launchd-plist.js";
import { mustRun, runTool } from "./run-tool.js";
import type { ServiceManager } from "./service-manager.js";
import type { ServiceProgram } from "./service-program.js";

/** The person's launch agents. */
export function launchd(
  { io }: { io: Pick<CliIo, "env" | "home"> },
  program: ServiceProgram,
): ServiceManager {
  const label = labelOf(program);
  const file = join(io.home, "Library", "LaunchAgents", `${label}.plist`);
  const domain = `gui/${userInfo().uid}`;
  const target = `${domain}/${label}`;
  const launchctl = (...args: string[]) => mustRun("launchctl", args, io.env);
  const ask = (...args: string[]) => runTool("launchctl", args, io.env);
  return {
    kind: "launchd",
    name: label,
    file,
    text: renderPlist(program),
    isOurs: isOurPlist,
    programIn: readPlist,
    async check() {
      const found = await ask("print", domain).catch(() => undefined);
      if (found?.code === 0) return;
      throw new HubError("SERVICE_UNUSABLE", "No launchd answers for this user's screen", {
        hint: "Log in at the Mac itself, not by ssh alone; or put this into ~/.zprofile: huddle up",
      });
    },
    // It is read again when it is loaded; what runs goes on as it was started.
    enable: async () => void (await launchctl("enable", target)),
    async start() {
      await ask("bootout", target);
      await launchctl("bootstrap", domain, file);
    },
    async state() {
      const { code, stdout } = await ask("print", target);
      const pid = Number(/^\s*pid = (\d+)$/m.exec(stdout)?.[1] ?? 0);
      return {
        isLoaded: code === 0,
        // An agent in that folder is loaded at login.
        isEnabled: true,
        running: pid > 0 ? { pid } : undefined,
        words: code === 0 ? (/^\s*state = (.+)$/m.exec(stdout)?.[1] ?? "loaded") : "not loaded",
      };
    },
    async disable(stop) {
      if (stop) await ask("bootout", target);
    },
    forget: async () => {},
    says: {
      logs: `tail -f ${quoteWord(program.logFile)}`,
      restart: `launchctl kickstart -k ${target}`,
      start: `launchctl bootstrap ${domain} ${quoteWord(file)}`,
    },
    lingering: () => undefined,
  };
}
