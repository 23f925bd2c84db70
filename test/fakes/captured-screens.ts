import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseRows, type Screen } from "../../src/runtime/tmux/screen.js";
import { type CliName, cliNames } from "../../src/runtime/vendors/clients.js";

/** The screens of real CLIs in `test/fixtures/screens`, captured from tmux 3.3a. The file name says the state. */
const folder = fileURLToPath(new URL("../fixtures/screens/", import.meta.url));

export type CapturedScreen = { cli: CliName; name: string; screen: Screen; text: string };

export function capturedScreens(): CapturedScreen[] {
  return cliNames.flatMap((cli) =>
    readdirSync(`${folder}${cli}`)
      .filter((file) => file.endsWith(".ansi"))
      .map((file) => capturedScreen(cli, file.slice(0, -".ansi".length))),
  );
}

export function capturedScreen(cli: CliName, name: string): CapturedScreen {
  const read = (kind: string) => readFileSync(`${folder}${cli}/${name}.${kind}`, "utf8");
  // cursor_x cursor_y pane_current_command pane_in_mode alternate_on bracket_paste_flag cursor_flag width height title
  const [x, y, command = "", mode, , , cursor, width, height, ...title] = read("meta").trimEnd().split(" ");
  const screen = {
    rows: parseRows(read("ansi").replace(/\n$/, "")),
    cursor: { row: Number(y), column: Number(x), visible: cursor === "1" },
    command,
    inMode: mode === "1",
    dead: false,
    title: title.join(" "),
    width: Number(width),
    height: Number(height),
  };
  return { cli, name, screen, text: read("txt") };
}

/** The state that the name of a captured screen stands for. Two are named after what was meant, not what was captured. */
export function stateOf(cli: CliName, name: string): string {
  if (cli === "qwen" && name === "interrupted") return "draft";
  if (cli === "qwen" && name === "starting") return "dialog";
  if (name.startsWith("exited")) return "exited";
  if (name === "copy-mode") return "copy-mode";
  if (/dialog|^permission/.test(name)) return "dialog";
  if (/^(busy|queued|error-retrying|tool-running)/.test(name)) return "busy";
  if (/^(draft|pasted|shell-mode|slash-menu)|^tag.*-draft$/.test(name)) return "draft";
  if (/^(ready|after-|cleared|error|interrupted|stashed)|^tag.*-sent$/.test(name)) return "ready";
  throw new Error(`What state is ${cli}/${name}?`);
}
