import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseLoginFragment } from "../../src/model/desk-link.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { patiently } from "../fakes/patiently.js";
import { readProcesses } from "../fakes/processes.js";
import { type CliWorld, cli } from "../fakes/run-cli.js";
import { tempFolder } from "../fakes/temp-folder.js";

/* `huddle ui`, with a program in the place of the browser that notes what it is given. */

const yard = createHubYard();
let hub: HubProcess;

beforeAll(async () => {
  hub = await yard.start();
});
afterAll(() => yard.clear());

/** A "browser" that writes down its arguments and every command line on the machine, then ends with a code. */
function fakeBrowser({ exit = 0 } = {}) {
  const folder = tempFolder();
  const [program, noted] = [join(folder, "browser.sh"), join(folder, "noted")];
  const look = `cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' > ${noted}.all`;
  const write = `printf '%s' "$*" > ${noted}.new; mv ${noted}.new ${noted}`;
  writeFileSync(program, ["#!/bin/sh", ...(exit === 0 ? [look, write] : []), `exit ${exit}`, ""].join("\n"));
  chmodSync(program, 0o755);
  return {
    env: { BROWSER: program, PATH: process.env["PATH"] ?? "" },
    /** One that takes more than three seconds is not waited for. */
    given: () => patiently(() => readFileSync(noted, "utf8")),
    seen: () => readFileSync(`${noted}.all`, "utf8"),
    isOpen: () => existsSync(noted),
  };
}

const run = (argv: string[], world: CliWorld = {}) =>
  cli(argv, { ...world, env: { HUDDLE_HOME: hub.home, ...world.env } });

const exchange = async (code: string) => hub.http.call("POST", "/auth/exchange", { body: { code } });

function linkIn(text: string): { code: string; path: string } {
  const link = /http:\/\/[^\s"]+#[^\s"]+/.exec(text.replaceAll("&amp;", "&"))?.[0] ?? "no link";
  return parseLoginFragment(new URL(link).hash) ?? { code: "none", path: "none" };
}

test("the browser is given a file that only its user can read, and the code is in that file alone", async () => {
  const browser = fakeBrowser();

  const { code, stdout, stderr } = await run(["ui", "agents/ann"], { env: browser.env });

  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `✓ The desk is open in your browser: ${hub.url}/#/agents/ann\n`,
  });
  const page = await browser.given();
  expect(statSync(page).mode & 0o777).toBe(0o600);
  const login = linkIn(readFileSync(page, "utf8"));
  expect(login.path).toBe("/agents/ann");
  expect(browser.seen()).toContain(page);
  for (const text of [page, stdout, stderr, browser.seen()]) expect(text).not.toContain(login.code);
  for (const [, text] of [...readProcesses("cmdline"), ...readProcesses("environ")])
    expect(text).not.toContain(login.code);
  expect((await exchange(login.code)).status).toBe(200);
});

test("the page of an earlier time is removed by the next", async () => {
  const [first, second] = [fakeBrowser(), fakeBrowser()];
  await run(["ui"], { env: first.env });
  const old = await first.given();
  const hourAgo = Date.now() / 1000 - 3600;
  utimesSync(old, hourAgo, hourAgo);

  await run(["ui"], { env: second.env });

  expect(existsSync(old)).toBe(false);
  expect(existsSync(await second.given())).toBe(true);
  expect(readdirSync(join(hub.home, "desk")).every((name) => /^open-[0-9a-f]{24}\.html$/.test(name))).toBe(
    true,
  );
});

test("--print only prints the link, which works", async () => {
  const browser = fakeBrowser();

  const { code, stdout, stderr } = await run(["ui", "--print"], { env: browser.env });

  expect({ code, isOpen: browser.isOpen(), stderr }).toEqual({
    code: 0,
    isOpen: false,
    stderr: "It works once, within 60 s.\n",
  });
  expect(stdout).toMatch(new RegExp(`^${hub.url}/#code=[\\w-]{43}\n$`));
  expect((await exchange(linkIn(stdout).code)).status).toBe(200);
});

test("--print --json is a document", async () => {
  const { stdout } = await run(["ui", "needs-you", "--print", "--json"]);

  const shown = JSON.parse(stdout) as Record<string, string>;
  expect(shown).toMatchObject({ url: `${hub.url}/#/needs-you`, expires_in: 60 });
  expect(linkIn(shown["link"] ?? "").path).toBe("/needs-you");
});

test("without a screen the link is printed, and what to do with it", async () => {
  const { code, stdout, stderr } = await run(["ui"], { env: { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" } });

  expect(code).toBe(0);
  expect((await exchange(linkIn(stdout).code)).status).toBe(200);
  expect(stderr).toContain("no screen here");
  expect(stderr).toContain(`ssh -L ${hub.port}:127.0.0.1:${hub.port}`);
});

test.each([
  ["fails", () => fakeBrowser({ exit: 3 }).env, "failed (3)"],
  ["is not there", () => ({ BROWSER: "/no/such/browser" }), "ENOENT"],
])("a browser that %s is told of, and the link is printed", async (_, env, why) => {
  const { code, stdout, stderr } = await run(["ui"], { env: env() });

  expect(code).toBe(0);
  expect(stderr).toContain(why);
  expect((await exchange(linkIn(stdout).code)).status).toBe(200);
});

test("a place that the desk does not have is refused", async () => {
  const { code, stderr } = await run(["ui", "elsewhere/x"]);

  expect(code).toBe(2);
  expect(stderr).toContain('no place "elsewhere/x"');
  expect(stderr).toContain("agents/NAME");
});

test("an agent's token opens no desk", async () => {
  const { json } = await hub.http.call("POST", "/api/agents", { token: hub.join, body: { name: "ann" } });

  const { code, stderr } = await run(["ui", "--print"], { env: { HUDDLE_TOKEN: String(json["token"]) } });

  expect(code).toBe(5);
  expect(stderr).toContain("the operator's token");
});

test.each([
  ["on a terminal", [], {}, true],
  ["with --no-open", ["--no-open"], {}, false],
  ["in CI", [], { CI: "true" }, false],
  ["with --json", ["--json"], {}, false],
])("huddle alone, %s: whether it opens the desk", async (_, options, env, opens) => {
  const browser = fakeBrowser();

  const { code } = await run(options, { tty: true, env: { ...browser.env, ...env } });
  if (opens) await browser.given();

  expect({ code, opens: browser.isOpen() }).toEqual({ code: 0, opens });
});

test("huddle alone opens nothing for a program that reads it", async () => {
  const browser = fakeBrowser();

  const { stdout } = await run([], { env: browser.env });

  expect({ stdout, opens: browser.isOpen() }).toMatchObject({ opens: false });
});

test.each([
  ["on a terminal", [], true, true],
  ["with --no-open", ["--no-open"], true, false],
  ["with --json", ["--json"], true, false],
  ["into a file", [], false, false],
])("up --foreground %s: whether it opens the desk when the hub is ready", async (_, options, tty, opens) => {
  const browser = fakeBrowser();
  let told = () => {};
  const opened = new Promise<void>((done) => {
    told = done;
  });
  const daemon: CliWorld["daemon"] = {
    async runHub({ onReady }) {
      onReady?.(hub.url);
      if (opens) await opened;
      return 0;
    },
  };

  const { stdout } = await run(["up", "--foreground", ...options], {
    tty,
    daemon,
    env: browser.env,
    onPrint: (text) => {
      if (text.includes("The desk is open")) told();
    },
  });
  if (opens) await browser.given();

  expect({ opens: browser.isOpen(), said: stdout.includes(`${hub.url}/`) }).toEqual({ opens, said: opens });
});
