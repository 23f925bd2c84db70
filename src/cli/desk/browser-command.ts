import type { Environment } from "../../client/connect.js";

type Screen = { env: Environment; platform: NodeJS.Platform };

/** The command that has the person's browser show a file; undefined where there is no screen to show it on. */
export function browserCommand(file: string, { env, platform }: Screen): [string, ...string[]] | undefined {
  const chosen = (env["BROWSER"] ?? "").trim();
  // What tools for the web call a browser that must not be opened.
  if (chosen === "none") return undefined;
  if (chosen !== "") return chosenBrowser(chosen, file, platform);
  switch (platform) {
    case "darwin":
      return isRemote(env) ? undefined : ["open", file];
    case "win32":
      return ["cmd", "/c", "start", "", file];
    default:
      if (has(env, "WSL_DISTRO_NAME")) return ["wslview", file];
      return has(env, "DISPLAY") || has(env, "WAYLAND_DISPLAY") ? ["xdg-open", file] : undefined;
  }
}

/** Whether somebody came from another machine: their browser is there. */
export function isRemote(env: Environment): boolean {
  return has(env, "SSH_CONNECTION") || has(env, "SSH_TTY");
}

/** `$BROWSER` lists commands, the first one first; `%s` stands for what to open, or it comes last. */
function chosenBrowser(
  list: string,
  file: string,
  platform: NodeJS.Platform,
): [string, ...string[]] | undefined {
  const [first = ""] = platform === "win32" ? [list] : list.split(":");
  const [program, ...args] = first.split(/\s+/).filter((word) => word !== "");
  if (program === undefined) return undefined;
  const filled = args.map((word) => word.replaceAll("%s", file));
  return first.includes("%s") ? [program, ...filled] : [program, ...args, file];
}

function has(env: Environment, name: string): boolean {
  return (env[name] ?? "") !== "";
}
