import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { HubError } from "../../model/errors.js";
import type { CliIo } from "../cli-io.js";
import { mustRun, runTool } from "./run-tool.js";
import type { ServiceManager } from "./service-manager.js";
import type { ServiceProgram } from "./service-program.js";
import { isOurUnit, readUnit, renderUnit } from "./systemd-unit.js";

/** The person's own systemd: no rights of root's are needed, and none are asked for. */
export function systemd(
  { io }: { io: Pick<CliIo, "env" | "home"> },
  program: ServiceProgram,
): ServiceManager {
  const unit = `${program.name}.service`;
  const config = io.env["XDG_CONFIG_HOME"];
  const base = config !== undefined && isAbsolute(config) ? config : join(io.home, ".config");
  const { username, uid } = userInfo();
  const runtime = join("/run/user", String(uid));
  // By `su` or `sudo` the variable is missing, but the person's systemd may answer all the same.
  const env =
    (io.env["XDG_RUNTIME_DIR"] ?? "") !== "" || !existsSync(runtime)
      ? io.env
      : { ...io.env, XDG_RUNTIME_DIR: runtime };
  const ask = (...args: string[]) => runTool("systemctl", ["--user", ...args], env);
  const systemctl = (...args: string[]) => mustRun("systemctl", ["--user", ...args], env);
  return {
    kind: "systemd",
    name: unit,
    file: join(base, "systemd", "user", unit),
    text: renderUnit(program),
    isOurs: isOurUnit,
    programIn: readUnit,
    async check() {
      const found = await ask("show", "--property=Version").catch(() => undefined);
      if (found?.code !== 0) throw noManager(found?.stderr.trim().split("\n")[0], io.env);
    },
    async enable() {
      await systemctl("daemon-reload");
      await systemctl("enable", unit);
    },
    async start() {
      // A unit that failed too often would refuse.
      await ask("reset-failed", unit);
      await systemctl("start", unit);
    },
    async state() {
      const asked = "LoadState,UnitFileState,ActiveState,SubState,MainPID,Result";
      const told = readProperties(await systemctl("show", unit, `--property=${asked}`));
      const pid = Number(told["MainPID"] ?? 0);
      const result = told["Result"] === "success" ? "" : `, ${told["Result"]}`;
      return {
        isLoaded: told["LoadState"] === "loaded",
        isEnabled: told["UnitFileState"] === "enabled",
        running: pid > 0 ? { pid } : undefined,
        words: `${told["ActiveState"]} (${told["SubState"]}${result})`,
      };
    },
    async disable(stop) {
      await systemctl("disable", ...(stop ? ["--now"] : []), unit);
    },
    async forget() {
      await systemctl("daemon-reload");
      await ask("reset-failed", unit);
    },
    says: {
      logs: `journalctl --user -u ${unit}`,
      restart: `systemctl --user restart ${unit}`,
      start: `systemctl --user start ${unit}`,
    },
    lingering: () => ({
      isOn: existsSync(join("/var/lib/systemd/linger", username)),
      command: "loginctl enable-linger",
    }),
  };
}

function readProperties(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split("\n")
      .filter((line) => line.includes("="))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}

/** In a container, in WSL without systemd, or as another user by `su`. */
function noManager(said: string | undefined, env: Readonly<Record<string, string | undefined>>): HubError {
  const why = said === undefined || said === "" ? "systemctl cannot be run" : said;
  const hint =
    env["WSL_DISTRO_NAME"] === undefined
      ? "In a container, run the hub as its program: huddle up --foreground. As another user, log in as them, not by su or sudo. Elsewhere put this into ~/.profile: huddle up"
      : "In WSL 2, put [boot] systemd=true into /etc/wsl.conf and run wsl --shutdown. In WSL 1, put this into ~/.profile: huddle up";
  return new HubError("SERVICE_UNUSABLE", `No systemd answers for this user here (${why})`, { hint });
}
