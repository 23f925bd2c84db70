import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startScriptedModel } from "../../src/selftest/scripted-model/scripted-model.js";
import { call } from "../../src/selftest/scripted-model/step.js";
import { createHubYard } from "../fakes/hub-process.js";
import { claude } from "./claude.js";
import type { Client, ClientWorld } from "./client.js";
import { clients } from "./clients.js";
import { codex } from "./codex.js";
import { eventually } from "./eventually.js";
import { installedProgram } from "./installed.js";
import { clientTemp, during, runHeadless } from "./run-client.js";
import { provenBy } from "./sets.js";
import { shared } from "./shared.js";

/* The vendors' own CLIs, all in one person's home, connected by `huddle connect` and by nothing else. */

/** Their files that connecting changes. */
const files: Readonly<Record<Client["name"], readonly string[]>> = {
  claude: [".claude.json", ".claude/settings.json"],
  codex: [".codex/config.toml"],
  gemini: [".gemini/settings.json"],
  qwen: [".qwen/settings.json"],
  droid: [".factory/mcp.json"],
  opencode: [".config/opencode/opencode.json"],
  copilot: [".copilot/mcp-config.json"],
};

const open = shared(async (onClose) => {
  const yard = createHubYard();
  onClose(() => yard.clear());
  const model = await startScriptedModel();
  onClose(() => model.close());
  const hub = await yard.start();
  const home = mkdtempSync(join(tmpdir(), "home-"));
  onClose(async () => rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  const cwd = join(home, "project");
  mkdirSync(cwd);
  const worldOf = (client: Client): ClientWorld => ({
    home,
    cwd,
    modelUrl: model.laneUrl(client.name),
    mcp: {},
  });
  for (const client of clients) client.setUp(worldOf(client));
  // A comment, and a look of its own: what a person has in such a file.
  writeFileSync(
    join(home, ".qwen/settings.json"),
    `// mine\n${readFileSync(join(home, ".qwen/settings.json"), "utf8")}`,
  );

  const program = resolve(process.env["HUDDLE_MAIN"] ?? join("dist", "main.js"));
  const path = clients.map(({ name }) => dirname(installedProgram(name)));
  const env = {
    PATH: [...path, process.env["PATH"] ?? ""].join(delimiter),
    HOME: home,
    TMPDIR: clientTemp(),
    HUDDLE_HOME: hub.home,
  };
  const huddle = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, [program, ...args], { env, cwd })).stdout;
  const read = () =>
    Object.fromEntries(
      Object.values(files)
        .flat()
        .map((file) => [file, existsSync(join(home, file)) ? readFileSync(join(home, file), "utf8") : null]),
    );
  return {
    hub,
    model,
    worldOf,
    huddle,
    read,
    before: read(),
    said: await huddle("connect", "--yes", "--hooks"),
  };
});

/** By what is in its own files: the flags that name a server only allow its tools. */
function connected(client: Client): Client {
  return {
    ...client,
    headless(world, prompt, resume) {
      const launch = client.headless(
        { ...world, mcp: { huddle: { command: "", args: [] } } },
        prompt,
        resume,
      );
      return { ...launch, argv: launch.argv.filter((flag) => flag !== "--strict-mcp-config") };
    },
  };
}

test("every CLI that is installed is connected and answers, and a second time there is nothing to do", async () => {
  const { said, huddle, read } = await open();
  for (const { name } of clients) expect(said).toMatch(new RegExp(`^✓ ${name}: .* answers in \\d+ ms$`, "m"));
  const written = read();
  expect(await huddle("connect", "--yes")).toContain("Nothing was changed.");
  expect(read()).toEqual(written);
});

test.each(clients.map((client) => [client.name, client] as const))(
  "%s becomes an agent by what was written into its file",
  async (name, client) => {
    const { hub, worldOf } = await open();
    await runHeadless(connected(client), worldOf(client), "Look. <<call list_agents>> <<say done>>");

    const { status } = await hub.http.call("GET", `/api/agents/${name}-project`, { token: hub.operator });
    expect(status).toBe(200);
  },
);

provenBy("two-hubs: claude and codex answer each other; above: each becomes an agent", () => {
  test("claude asks and codex answers", async () => {
    const { hub, model, worldOf } = await open();
    const serving = runHeadless(
      connected(codex),
      worldOf(codex),
      'Serve. <<call wait_for_message {"timeout_seconds":100}>> <<say served>>',
    );
    await during(
      serving,
      eventually("codex waits", async () => {
        const { json } = await hub.http.call("GET", "/api/agents/codex-project", { token: hub.operator });
        return json["state"] === "listening" || undefined;
      }),
    );
    const reply = { to: "claude-project", content: "it is 42", reply_to: "{{message.id}}" };
    model.on(/^what is it\?$/, [call("send_message", reply)], "codex");

    const asked = await runHeadless(
      connected(claude),
      worldOf(claude),
      'Ask. <<call send_message {"to":"codex-project","content":"what is it?"}>> <<call wait_for_message {"from":"codex-project","timeout_seconds":60}>> <<say asked>>',
    );

    expect(asked.text).toContain("asked");
    expect((await serving).text).toContain("served");
    const log = await hub.http.call("GET", "/api/search?q=42", { token: hub.operator });
    expect(log.json["messages"]).toMatchObject([
      { from: "codex-project", to: "claude-project", content: "it is 42" },
    ]);
  });
});

test("undo gives each file back, but for what its CLI has changed there itself", async () => {
  const { huddle, read, before } = await open();
  const used = read();

  const said = await huddle("connect", "--undo");

  const after = read();
  for (const file of Object.keys(before)) {
    if (said.includes(`~/${file} is as it was`) || before[file] === null)
      expect(after[file]).toBe(before[file]);
    else expect(after[file]).not.toContain("mcp-bridge.cjs");
  }
  expect(Object.values(used).join("\n")).toContain("mcp-bridge.cjs");
  expect(await huddle("connect", "--yes", "--hooks", "--quiet")).toContain("✓ copilot");
  expect(read()).not.toEqual(after);
  await huddle("connect", "--undo");
  expect(read()).toEqual(after);
});
