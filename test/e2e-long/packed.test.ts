// What `npm pack` puts into the tarball is all that the hub needs, also in a folder whose name has a space.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isProcessAlive } from "../../src/cli/process-alive.js";

type Manifest = {
  version: string;
  bin: { huddle: string };
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

const above = mkdtempSync(join(tmpdir(), "huddle packed "));
const installed = join(above, "node_modules", "huddle");
const env = { PATH: process.env["PATH"], HOME: above, HUDDLE_HOME: above };
let manifest: Manifest;

beforeAll(() => {
  const list = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", above]);
  const [{ filename = "" } = {}] = JSON.parse(list.toString("utf8")) as { filename?: string }[];
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", join(above, filename), "-C", installed, "--strip-components=1"]);
  manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as Manifest;
  // As npm would install them, without a network: the packages that it says it needs, and no others.
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const source = resolve("node_modules", name);
    if (!existsSync(source)) continue;
    mkdirSync(dirname(join(above, "node_modules", name)), { recursive: true });
    symlinkSync(source, join(above, "node_modules", name));
  }
});

/** Shared, until the last test stops it. */
let hub: Record<string, unknown>;
beforeAll(() => {
  env.HUDDLE_HOME = mkdtempSync(join(above, "home of it "));
  hub = ask("up", "--port=0");
});
afterAll(() => {
  if (existsSync(join(env.HUDDLE_HOME, "hub.json"))) huddle("down", "--now");
  rmSync(above, { recursive: true, force: true });
});

function huddle(...args: string[]): string {
  const program = join(installed, manifest.bin.huddle);
  const unhurried = args[0] === "up" ? ["--timeout=5m"] : [];
  return execFileSync(process.execPath, [program, ...args, ...unhurried], { env, stdio: "pipe" }).toString();
}

function ask(...args: string[]): Record<string, unknown> {
  return JSON.parse(huddle(...args, "--json")) as Record<string, unknown>;
}

test("the tarball holds what users need, and nothing of how Huddle is made", () => {
  expect(readdirSync(installed).sort()).toEqual([
    "CHANGELOG.md",
    "CONTEXT.md",
    "LICENSE",
    "PROTOCOL.md",
    "README.md",
    "dist",
    "docs",
    "examples",
    "package.json",
    "schemas",
  ]);
  const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
  const ofUse = /^dist\/types\/.*\.d\.ts$|^examples\/library\/[a-z-]+\.ts$/;
  expect(
    files.filter(
      (name) => /\.(ts|tsx|map)$|\.test\.|^docs\/(adr|testing|documents)/.test(name) && !ofUse.test(name),
    ),
  ).toEqual([]);
});

describe("the packed library, in an empty project", () => {
  const project = join(above, "a project");
  const examples = readdirSync(resolve("examples", "library")).map((file) => file.replace(/\.ts$/, ""));
  /** What each of them prints. */
  const printed: Record<string, string[]> = {
    "two-agents": ["sent: accepted", "ana: Is the build green?", "ben: Yes, since this morning."],
    worker: ["answer: 8080, see config/api.yaml"],
    "follow-events": ["MessageAccepted (about me)"],
    "assign-task": ["done: There are 42.", "refused: FORBIDDEN"],
  };

  beforeAll(() => {
    cpSync(join(installed, "examples", "library"), join(project, "src"), { recursive: true });
    writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
    const compilerOptions = {
      target: "es2023",
      lib: ["es2023", "dom"],
      module: "nodenext",
      types: [],
      strict: true,
      outDir: "out",
      rootDir: "src",
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
    const compiler = resolve("node_modules", "typescript", "bin", "tsc");
    // Its types are whole: those of packages are checked too.
    execFileSync(process.execPath, [compiler, "--project", project], { cwd: project, stdio: "pipe" });
  });

  test("every example is run by a test", () => {
    expect(examples.toSorted()).toEqual(Object.keys(printed).toSorted());
  });

  test("each of them compiles, and does what it says", () => {
    for (const name of examples) {
      const program = join(project, "out", `${name}.js`);
      const said = execFileSync(process.execPath, [program], { env, stdio: "pipe", timeout: 300_000 });
      const lines = said.toString().trim().split("\n");
      expect(lines, name).toEqual(expect.arrayContaining(printed[name] ?? [name]));
    }
  });

  test("is loaded by require, too", () => {
    const script =
      'const { connect, HubError } = require("huddle"); console.log(typeof connect, HubError.name)';
    const options = { cwd: project, env, stdio: "pipe" } as const;
    const said = execFileSync(
      process.execPath,
      ["--no-warnings", "--input-type=commonjs", "-e", script],
      options,
    );
    expect(said.toString().trim()).toBe("function HubError");
  });
});

test("the packed demo sees every step, and touches nothing of the person's hub", () => {
  const mine = env.HUDDLE_HOME;
  env.HUDDLE_HOME = mkdtempSync(join(above, "home of a demo "));
  const before = readdirSync(env.HUDDLE_HOME);

  expect(ask("demo", "--fast")).toMatchObject({ ok: true });

  expect(readdirSync(env.HUDDLE_HOME)).toEqual(before);
  env.HUDDLE_HOME = mine;
});

test("the packed hub serves the desk, page and parts, compressed as the browser likes", async () => {
  const { url } = hub;

  const page = await fetch(`${String(url)}/`);
  const html = await page.text();
  const parts = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? "");

  expect(page.status).toBe(200);
  expect(parts.length).toBeGreaterThanOrEqual(3);
  for (const path of parts) {
    const { status, headers } = await fetch(`${String(url)}${path}`, {
      headers: { "accept-encoding": "br" },
    });
    expect({ path, status }).toEqual({ path, status: 200 });
    if (path.endsWith(".js") && Number(headers.get("content-length")) > 5000)
      expect(headers.get("content-encoding")).toBe("br");
  }
});

test("the packed program runs a hub, its threads and its bridge", () => {
  expect(huddle("--version").trim()).toBe(manifest.version);
  const notices = (...path: string[]) =>
    readFileSync(join(installed, "dist", ...path, "THIRD-PARTY-NOTICES.txt"), "utf8");
  expect(notices()).toContain("\nzod ");
  for (const name of ["react-dom", "@fontsource-variable/inter"])
    expect(notices("web")).toContain(`${name} `);

  const { pid, url } = hub;
  expect(ask("status")).toMatchObject({ ok: true, version: manifest.version, pid, url });

  const { file: identity } = ask("identity", "bob");
  expect(ask("send", "bob", "the quince is ripe")).toMatchObject({ delivered: true, target: "bob" });
  const backup = join(env.HUDDLE_HOME, "a copy.db");
  expect(ask("backup", backup)).toMatchObject({ file: backup });
  expect(huddle("log", "quince")).toContain("the quince is ripe");

  const bridge = join(installed, "dist", "mcp-bridge.cjs");
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n';
  const said = execFileSync(process.execPath, [bridge, "--identity", String(identity)], { env, input: list });
  expect(said.toString("utf8")).toContain('"name":"check_messages"');

  huddle("down");
  expect(isProcessAlive(Number(pid))).toBe(false);
  expect(existsSync(join(env.HUDDLE_HOME, "hub.json"))).toBe(false);
});
