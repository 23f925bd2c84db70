import { expect, test } from "vitest";
import { browserCommand, isRemote } from "./browser-command.js";

type Row = [string, NodeJS.Platform, Record<string, string>, string[] | undefined];

const rows: Row[] = [
  ["a Linux desktop", "linux", { DISPLAY: ":0" }, ["xdg-open", "/p.html"]],
  ["a Wayland desktop", "linux", { WAYLAND_DISPLAY: "wayland-0" }, ["xdg-open", "/p.html"]],
  ["a Linux server", "linux", {}, undefined],
  ["a Linux server by ssh", "linux", { SSH_CONNECTION: "1", DISPLAY: "" }, undefined],
  ["ssh that brings its screen", "linux", { SSH_CONNECTION: "1", DISPLAY: ":10" }, ["xdg-open", "/p.html"]],
  ["Windows' Linux", "linux", { WSL_DISTRO_NAME: "Debian" }, ["wslview", "/p.html"]],
  ["a Mac", "darwin", {}, ["open", "/p.html"]],
  ["a Mac by ssh", "darwin", { SSH_TTY: "/dev/ttys001" }, undefined],
  ["Windows", "win32", {}, ["cmd", "/c", "start", "", "/p.html"]],
  ["a browser that was chosen", "linux", { BROWSER: "firefox" }, ["firefox", "/p.html"]],
  ["one with arguments", "darwin", { BROWSER: "open -a Firefox" }, ["open", "-a", "Firefox", "/p.html"]],
  ["one with a place for it", "linux", { BROWSER: "run %s --new" }, ["run", "/p.html", "--new"]],
  ["a list", "linux", { BROWSER: "firefox:chromium" }, ["firefox", "/p.html"]],
  ["a path of Windows", "win32", { BROWSER: "C:\\b.exe" }, ["C:\\b.exe", "/p.html"]],
  ["none, by choice", "darwin", { BROWSER: "none" }, undefined],
];

test.each(rows)("on %s", (_, platform, env, command) => {
  expect(browserCommand("/p.html", { env, platform })).toEqual(command);
});

test("who came by ssh is elsewhere", () => {
  expect(isRemote({ SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" })).toBe(true);
  expect(isRemote({ DISPLAY: ":0" })).toBe(false);
});
