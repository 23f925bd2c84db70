import { spawn } from "node:child_process";
import type { CliContext } from "./context.js";
import { escapeLine } from "./escape-text.js";
import { shorten } from "./table.js";

/*
 * A bell in the terminal, and a note on the desktop where a program for that is there. What an agent wrote is an argument of
 * that program and nothing else: no shell and no script is made of it.
 */

export function ringBell({ io, globals }: Pick<CliContext, "io" | "globals">): void {
  if (io.stdout.isTTY === true && !globals.json) io.stdout.write("\x07");
}

export type Announcement = { title: string; text: string };

const TEXT_MOST = 200;

/** The command that shows it on this desktop; undefined where there is none. */
export function desktopCommand(
  { title, text }: Announcement,
  { platform, env }: { platform: string; env: Readonly<Record<string, string | undefined>> },
): [string, ...string[]] | undefined {
  const [head, body] = [shorten(escapeLine(title), TEXT_MOST), shorten(escapeLine(text), TEXT_MOST)];
  if (platform === "darwin") {
    const script = [
      "on run argv",
      "display notification (item 1 of argv) with title (item 2 of argv)",
      "end run",
    ];
    // A first argument that began with a dash would be an option of osascript.
    return ["osascript", ...script.flatMap((line) => ["-e", line]), `\u200b${body}`, `\u200b${head}`];
  }
  const hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"].some((name) => env[name]);
  if (platform !== "linux" || !hasDesktop) return undefined;
  return ["notify-send", "--app-name=Huddle", "--", head, asMarkup(body)];
}

/** The text of a note may be read as markup. */
function asMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Shows a note on the desktop; false if nothing here can. */
export async function announce({ io }: Pick<CliContext, "io">, note: Announcement): Promise<boolean> {
  const [program, ...args] = desktopCommand(note, { platform: process.platform, env: io.env }) ?? [];
  if (program === undefined) return false;
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: "ignore", env: { ...io.env } });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}
