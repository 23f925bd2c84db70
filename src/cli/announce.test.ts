import { expect, test } from "vitest";
import { desktopCommand } from "./announce.js";

const note = { title: "ann wrote", text: '--help "; do shell script "rm" <b>&\x1b[2J' };

test("on Linux a note is an argument behind --, and no markup", () => {
  expect(desktopCommand(note, { platform: "linux", env: { DISPLAY: ":0" } })).toEqual([
    "notify-send",
    "--app-name=Huddle",
    "--",
    "ann wrote",
    '--help "; do shell script "rm" &lt;b&gt;&amp;\\x1b[2J',
  ]);
});

test("on macOS the script is the same for every note: texts are its arguments, and none is an option", () => {
  const [program, ...words] = desktopCommand(note, { platform: "darwin", env: {} }) ?? [];
  const other = desktopCommand({ title: "t", text: "x" }, { platform: "darwin", env: {} }) ?? [];
  expect(program).toBe("osascript");
  expect(words.slice(0, 6)).toEqual(other.slice(1, 7));
  expect(words.slice(6).every((word) => word.startsWith("\u200b"))).toBe(true);
});

test("without a desktop there is no command", () => {
  expect(desktopCommand(note, { platform: "linux", env: {} })).toBeUndefined();
  expect(desktopCommand(note, { platform: "win32", env: { DISPLAY: ":0" } })).toBeUndefined();
});
