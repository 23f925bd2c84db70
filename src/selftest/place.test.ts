import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { startClosedDoor } from "./closed-door.js";
import { openPlace, writeSettings } from "./place.js";

const proxy = "http://127.0.0.1:9";

function open(env: Record<string, string> = {}, home = tempFolder()) {
  const place = openPlace({ PATH: process.env["PATH"], ...env }, home, proxy);
  onTestFinished(place.clear);
  return { place, home };
}

test("nothing of the person's shell leads to their settings, their keys or the network", () => {
  const { place, home } = open({
    HOME: "/home/ann",
    LANG: "de_DE.UTF-8",
    XDG_CONFIG_HOME: "/home/ann/.config",
    ANTHROPIC_API_KEY: "sk-real",
    AWS_SECRET_ACCESS_KEY: "real",
    HUDDLE_TOKEN: "hud_real",
    HUDDLE_HOME: "/home/ann/huddle",
    HTTPS_PROXY: "http://proxy.example.org",
    CODEX_HOME: "/home/ann/.codex",
  });
  const { PATH: _, ...rest } = place.env;
  const sockets = rest["TMPDIR"] ?? "";
  expect(sockets.startsWith(join(tmpdir(), "huddle-st-"))).toBe(true);
  const local = "127.0.0.1,localhost,::1";
  expect(rest).toEqual({
    LANG: "de_DE.UTF-8",
    TERM: "xterm-256color",
    HOME: join(place.folder, "home"),
    HUDDLE_HOME: join(place.folder, "hub"),
    TMPDIR: sockets,
    TMUX_TMPDIR: sockets,
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    NO_PROXY: local,
    http_proxy: proxy,
    https_proxy: proxy,
    all_proxy: proxy,
    no_proxy: local,
  });
  expect(place.folder.startsWith(join(home, ".cache", "huddle", "st-"))).toBe(true);
  expect(statSync(place.folder).mode & 0o777).toBe(0o700);
});

test("what a version manager installed is found, and stays when the place goes", () => {
  const home = tempFolder();
  mkdirSync(join(home, ".volta"));
  writeFileSync(join(home, ".volta", "claude"), "program");
  const { place } = open({}, home);
  expect(readFileSync(join(place.home, ".volta", "claude"), "utf8")).toBe("program");
  place.clear();
  expect(existsSync(place.folder)).toBe(false);
  expect(readFileSync(join(home, ".volta", "claude"), "utf8")).toBe("program");
});

test("clearing ends whatever runs there, also what left its group, and removes the folder", async () => {
  const { place } = open();
  const child = spawn("/bin/sh", ["-c", "trap '' TERM HUP; sleep 1000"], {
    env: place.env,
    cwd: place.project,
    detached: true,
    stdio: "ignore",
  });
  await once(child, "spawn");
  const gone = once(child, "exit");

  place.clear();

  expect((await gone)[1]).toBe("SIGKILL");
  expect(existsSync(join(place.folder, ".."))).toBe(false);
  expect(existsSync(place.env["TMPDIR"] ?? "")).toBe(false);
});

test("a folder that cannot be made is named, with the way out", () => {
  const file = join(tempFolder(), "file");
  writeFileSync(file, "");
  expect(() => openPlace({ XDG_CACHE_HOME: file }, "/nowhere", proxy)).toThrow(
    `The self-test cannot make a folder in ${join(file, "huddle")}`,
  );
});

test("the throw-away hub takes a free port on loopback only, and slows nobody down", () => {
  const { place } = open();
  writeSettings(place, { codex: { command: "/bin/codex" } }, 90_000);
  expect(JSON.parse(readFileSync(join(place.huddleHome, "huddle.yaml"), "utf8"))).toMatchObject({
    port: 0,
    "agent-comms": { host: "127.0.0.1", port: 0 },
    allowed_roots: [place.home],
    backends: { codex: { command: "/bin/codex" } },
    cooldown: { cap: 0 },
    tmux: { ready_timeout_secs: 90 },
  });
});

test("the closed door refuses everything, and says who wanted to leave", async () => {
  const door = await startClosedDoor();
  const { port } = new URL(door.url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.write("CONNECT api.example.org:443 HTTP/1.1\r\nHost: api.example.org:443\r\n\r\n");
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 403 /);
  const asked = request({ host: "127.0.0.1", port, path: "http://telemetry.example.org/v1/log" });
  asked.end();
  const [response] = (await once(asked, "response")) as [{ statusCode: number; resume(): void }];
  response.resume();
  expect(response.statusCode).toBe(403);
  expect(door.refused()).toEqual(["api.example.org:443", "telemetry.example.org"]);
  await door.close();
});
