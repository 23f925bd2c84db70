// `huddle connect` and `huddle uninstall`: the files of CLIs are changed, tried, and given back. PROTOCOL.md, 13.
import { chmodSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { parse as parseJsonc } from "jsonc-parser";
import { expect, onTestFinished, test } from "vitest";
import { connectPlace } from "../fakes/connect-place.js";
import { containing, matching } from "../fakes/text-matching.js";

const all = ["claude", "codex", "gemini", "qwen", "droid", "opencode", "copilot", "code"] as const;

const theirFiles = {
  ".claude.json": '{\n  "numStartups": 4,\n  "primaryApiKey": "sk-secret",\n  "mcpServers": {}\n}',
  ".claude/settings.json":
    '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }] } }\n',
  ".codex/config.toml": '# mine\nmodel = "o9"   # keep\n\n[mcp_servers.other]\ncommand = "x"\n',
  ".gemini/settings.json": '{\n    // trusted\n    "security": {"auth": {}},\n}\n',
  ".config/Code/User/mcp.json": '{\n\t"servers": {\n\t\t"a": { "command": "b" }\n\t}\n}\n',
};

function fullPlace(clis: Parameters<typeof connectPlace>[0] = all) {
  const place = connectPlace(clis);
  for (const [path, text] of Object.entries(theirFiles)) place.write(path, text);
  return place;
}

test("all CLIs that are there are connected, each is tried; a second run changes nothing, and undo gives every file back byte by byte", async () => {
  const { run, read, files, data } = fullPlace();
  const before = files();

  const first = await run(["connect", "--yes", "--hooks"]);

  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toMatch(
    /^✓ claude: ~\/\.claude\.json \(server, alwaysLoad\), ~\/\.claude\/settings\.json \(4 hooks\) · answers in \d+ ms$/m,
  );
  for (const cli of ["codex", "gemini", "qwen", "droid", "opencode", "copilot", "vscode"])
    expect(first.stdout).toMatch(new RegExp(`^✓ ${cli}: ~/.* answers in \\d+ ms$`, "m"));
  expect(first.stdout).toContain("Restart them; huddle agents then shows them.");
  expect(JSON.parse(read(".claude.json"))).toMatchObject({
    numStartups: 5,
    mcpServers: { huddle: { type: "stdio", command: process.execPath, alwaysLoad: true } },
  });
  expect(read(".codex/config.toml")).toMatch(
    /^# mine\nmodel = "o9" {3}# keep\n[\s\S]*\[mcp_servers\.huddle\]\n[\s\S]*required = true\nstartup_timeout_sec = 20\n[\s\S]*tool_timeout_sec = 180\n/,
  );
  expect(JSON.parse(read(".qwen/settings.json"))).toMatchObject({
    mcpServers: { huddle: { trust: true, alwaysLoadTools: true } },
  });
  const written = files();
  const second = await run(["connect", "--yes"]);
  expect(second.stdout).toMatch(/^✓ claude: connected already, nothing to change/m);
  expect(second.stdout).toContain("Nothing was changed.");
  expect(files()).toEqual(written);
  expect(JSON.parse((await run(["agents", "--json"])).stdout)).toMatchObject({ agents: [] });
  expect(statSync(join(data, "connections.json")).mode & 0o777).toBe(0o600);

  const undone = await run(["connect", "--undo"]);

  expect(undone).toMatchObject({ code: 0, stderr: "" });
  expect(undone.stdout).toMatch(/^✓ codex: ~\/\.codex\/config\.toml is as it was$/m);
  expect(files()).toEqual(before);
  expect((await run(["connect", "--undo"])).stdout).toContain("nothing to undo");
});

test("undo takes out Huddle's entries alone where a CLI has changed its file since", async () => {
  const { run, read, write } = fullPlace();
  await run(["connect", "claude", "codex", "--yes", "--hooks"]);
  write(".claude.json", read(".claude.json").replace('"numStartups": 5', '"numStartups": 9'));
  write(".claude/settings.json", read(".claude/settings.json").replace("{ ", '{ "model": "opus", '));
  write(".codex/config.toml", `${read(".codex/config.toml")}\n[profiles.x]\na = 1\n`);

  const { stdout } = await run(["connect", "--undo"]);

  expect(stdout).toContain("is without Huddle; what else changed there since was left");
  expect(JSON.parse(read(".claude.json"))).toEqual({
    ...(JSON.parse(theirFiles[".claude.json"]) as object),
    numStartups: 9,
  });
  expect(read(".claude/settings.json")).toBe(
    theirFiles[".claude/settings.json"].replace("{ ", '{ "model": "opus", '),
  );
  expect(read(".codex/config.toml")).toBe(`${theirFiles[".codex/config.toml"]}\n[profiles.x]\na = 1\n`);
});

test("a dry run shows the diff without secrets, and writes nothing", async () => {
  const { run, files } = fullPlace();
  const before = files();

  const { code, stdout } = await run(["connect", "claude", "--dry-run", "--hooks"]);

  expect(code).toBe(0);
  expect(stdout).toMatch(/^ {2}~\/\.claude\.json$[\s\S]*\+ .*"alwaysLoad": true/m);
  expect(stdout).toContain('"primaryApiKey": "…"');
  expect(stdout).not.toContain("sk-secret");
  expect(stdout).toContain("Nothing was written.");
  expect(files()).toEqual(before);
});

test("VS Code gets a server of the type stdio under servers, beside its inputs and comments; a dry run shows it, undo takes it out", async () => {
  const { run, read, write } = connectPlace(["code"]);
  const file = ".config/Code/User/mcp.json";
  const theirs =
    '{\n\t// of the team\n\t"inputs": [{ "type": "promptString", "id": "key", "password": true }],\n\t"servers": {\n\t\t"a": { "type": "http", "url": "https://a.example/mcp" },\n\t},\n}\n';
  write(file, theirs);

  const dry = await run(["connect", "vscode", "--dry-run"]);
  expect(dry.stdout).toMatch(/^ {2}~\/\.config\/Code\/User\/mcp\.json$[\s\S]*\+ .*"type": "stdio"/m);
  expect(read(file)).toBe(theirs);

  expect(await run(["connect", "vscode", "--yes"])).toMatchObject({ code: 0 });
  const written = read(file);
  expect(written).toContain("// of the team");
  const { servers, inputs } = parseJsonc(written) as { servers: Record<string, unknown>; inputs: unknown[] };
  expect(inputs).toHaveLength(1);
  expect(Object.keys(servers)).toEqual(["a", "huddle"]);
  expect(servers["huddle"]).toEqual({
    type: "stdio",
    command: process.execPath,
    args: [expect.stringMatching(/^\/.*mcp-bridge\.cjs$/)],
    env: { HUDDLE_HOME: expect.any(String) as unknown },
  });

  expect(await run(["connect", "vscode", "--undo"])).toMatchObject({ code: 0 });
  expect(read(file)).toBe(theirs);
});

test("on a terminal it asks about hooks, then whether to write; no answer is a no", async () => {
  const { run, files } = connectPlace(["claude"]);
  const before = files();
  for (const typed of ["n\nn\n", "y\nno\n", ""]) {
    const said = await run(["connect"], { typed });
    expect(said.stderr).toContain("hooks for Claude Code");
    expect(said.stdout).toContain("Nothing was written.");
    expect(files()).toEqual(before);
  }

  const yes = await run(["connect"], { typed: "\ny\n" });
  expect(yes.stdout).toContain("(4 hooks)");
  expect(files()).toHaveProperty([".claude/settings.json"]);
});

test("without a terminal it writes only when told to", async () => {
  const { run, files } = connectPlace(["codex"]);
  expect(await run(["connect"], { stdin: "y\n" })).toMatchObject({
    code: 2,
    stderr: containing("Add --yes"),
  });
  expect(files()).toEqual({});
});

test("claude's own command that fails is done without", async () => {
  const { run, read } = connectPlace(["broken claude"]);
  expect(await run(["connect", "--yes"])).toMatchObject({ code: 0 });
  expect(JSON.parse(read(".claude.json"))).toMatchObject({ mcpServers: { huddle: { alwaysLoad: true } } });
});

test("what is not installed is said; asked for by name, it is a failure with the way out", async () => {
  const { run } = connectPlace(["codex"]);
  expect((await run(["connect", "--dry-run"])).stdout).toContain("– gemini: not installed");
  expect(await run(["connect", "gemini", "--dry-run"])).toMatchObject({
    code: 1,
    stdout: containing("✗ gemini: not installed. Install it: npm i -g @google/gemini-cli"),
  });
  expect(await run(["connect", "gemni"])).toMatchObject({
    code: 2,
    stderr: containing("Did you mean gemini?"),
  });
  expect((await connectPlace([]).run(["connect"])).stdout).toContain("No agent CLI is on your PATH");
});

const links = (file: string) => {
  renameSync(file, `${file}.real`);
  symlinkSync(`${file}.real`, file);
};

test.each<[string, string, (file: string) => void, RegExp]>([
  ["a link", "a = 1\n", links, /symbolic link/],
  ["read-only", "a = 1\n", (file) => chmodSync(file, 0o400), /is read-only/],
  ["no TOML", "a = 1\nc = = d\n", () => {}, /cannot be read: .* in line 2/],
])(
  "a file that is %s is left alone and said, and the others are written",
  async (_, text, spoil, problem) => {
    const { run, read, write, home } = connectPlace(["codex", "qwen"]);
    write(".codex/config.toml", text);
    spoil(join(home, ".codex/config.toml"));

    const { code, stdout } = await run(["connect", "--yes"]);

    expect(code).toBe(1);
    expect(stdout).toMatch(/^✗ codex: /m);
    expect(stdout).toMatch(problem);
    expect(stdout).toMatch(/^✓ qwen: /m);
    expect(read(".codex/config.toml")).toBe(text);
  },
);

test("an entry that people gave a name keeps it when Huddle moves, and undo still knows the way back", async () => {
  const { run, read, write } = connectPlace(["gemini"]);
  const theirs = `${JSON.stringify({ mcpServers: { huddle: { command: "/old/node", args: ["/old/dist/mcp-bridge.cjs", "--name", "ann"], note: 1 } } })}\n`;
  write(".gemini/settings.json", theirs);

  await run(["connect", "--yes"]);

  const { mcpServers } = JSON.parse(read(".gemini/settings.json")) as { mcpServers: Record<string, unknown> };
  expect(mcpServers["huddle"]).toMatchObject({
    command: process.execPath,
    args: [matching(/dist\/mcp-bridge\.cjs$/), "--name", "ann"],
    note: 1,
    trust: true,
  });
  await run(["connect", "--undo"]);
  expect(read(".gemini/settings.json")).toBe(theirs);
});

test("--print tells what belongs where and writes nothing; init is another name for connect", async () => {
  const { run, files } = connectPlace([]);
  const { code, stdout } = await run(["init", "--print"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^# codex: ~\/\.codex\/config\.toml$\n^\[mcp_servers\.huddle\]$/m);
  expect(stdout).toContain("# or run: claude mcp add-json --scope user huddle");
  expect(stdout).toContain("UserPromptSubmit");
  expect(files()).toEqual({});
});

test("for a project its own files are written, the hooks into those that are not committed", async () => {
  const { run, home } = connectPlace(["claude", "codex", "copilot"]);
  const project = join(home, "shop");
  mkdirSync(project);
  const from = process.cwd();
  process.chdir(project);
  onTestFinished(() => process.chdir(from));

  const { code, stdout } = await run(["connect", "--scope", "project", "--yes", "--hooks"]);

  expect({ code, stdout }).toMatchObject({ code: 0, stdout: containing("~/shop/.mcp.json") });
  expect(stdout).not.toContain("copilot");
  expect(new Set(readdirSync(project, { recursive: true, encoding: "utf8" }))).toEqual(
    new Set([".claude", ".claude/settings.local.json", ".codex", ".codex/config.toml", ".mcp.json"]),
  );
  await run(["connect", "--undo"]);
  expect(readdirSync(project)).toEqual([]);
  expect(await run(["connect", "copilot", "--scope", "project", "--yes"])).toMatchObject({
    code: 1,
    stdout: containing("copilot has no configuration of a project's own"),
  });
});

test("with --json there is one document, and no question", async () => {
  const { run } = connectPlace(["codex"]);
  type Document = { clis: { state: string; files: { diff: string[] }[]; handshake_ms: number | null }[] };
  const ask = async (...flags: string[]) =>
    JSON.parse((await run(["connect", "codex", "--json", ...flags])).stdout) as Document;

  const planned = await ask("--dry-run");
  expect(planned.clis).toMatchObject([{ cli: "codex", state: "planned", handshake_ms: null, error: null }]);
  expect(planned.clis[0]?.files[0]?.diff).toContain("+ required = true");
  const done = await ask("--yes");
  expect(done.clis).toMatchObject([{ state: "connected", error: null }]);
  expect(done.clis[0]?.handshake_ms).toBeGreaterThan(0);
});

test("uninstall undoes it all, stops the hub after a yes, and says what stays and how to delete it", async () => {
  const { run, files, data } = fullPlace(["claude", "codex"]);
  const before = files();
  await run(["connect", "--yes", "--hooks"]);

  const kept = await run(["uninstall"], { typed: "n\n" });
  expect(kept.stdout).toContain("The hub still runs. Stop it: huddle down");
  expect(files()).toEqual(before);

  const gone = await run(["uninstall", "--yes"]);
  expect(gone.stdout).toContain("✓ The hub is stopped");
  expect(gone.stdout).toContain(`Delete it for good: rm -rf '${data}'`);
  expect(gone.stdout).toContain("npm uninstall -g huddle");
});
