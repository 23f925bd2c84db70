// PROTOCOL.md, 19.2 and 19.4: who a bridge is, against a scripted hub.
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placeBridges } from "../fakes/bridge-place.js";
import { patiently } from "../fakes/patiently.js";

test("an agent that was removed is told so, and does not come back by itself", async () => {
  const { hub, start, kept } = await placeBridges();
  const bridge = start();
  await bridge.join();
  hub.dead.add("token-test-shop");
  const refusal = await bridge.request("tools/call", { name: "list_agents" });
  expect(refusal.result).toMatchObject({ isError: true });
  expect(JSON.stringify(refusal.result)).toContain("AGENT_GONE");
  const again = await bridge.request("tools/list");
  expect(again.error?.data).toMatchObject({ code: "AGENT_GONE" });
  expect(hub.registered).toHaveLength(1);
  expect(kept()).toEqual([]);
  await bridge.kill();
  const anew = start();
  await anew.join();
  expect(hub.registered).toHaveLength(2);
});

test("an agent that the hub has forgotten is registered again when its CLI starts", async () => {
  const { hub, start, kept } = await placeBridges();
  const first = start();
  await first.join();
  await first.kill();
  hub.dead.add("token-test-shop");
  const second = start();
  expect((await second.join()).result).toEqual({});
  expect(hub.calls.at(-1)?.headers.authorization ?? "").toBe("Bearer token-test-shop-2");
  expect(kept()).toHaveLength(1);
});

test("a restart in the same terminal has the same identity, two at once have two", async () => {
  const { home, hub, start, kept } = await placeBridges();
  const [a, b] = [start(), start()];
  await Promise.all([a.join(), b.join()]);
  expect(hub.registered).toHaveLength(2);
  expect(statSync(join(home, "bridges")).mode & 0o777).toBe(0o700);
  for (const file of kept()) expect(statSync(join(home, "bridges", file)).mode & 0o777).toBe(0o600);
  await a.kill();
  const c = start();
  await c.join();
  const d = start();
  await d.join();
  expect(hub.registered).toHaveLength(3);
  const tokens = kept().map(
    (file) => (JSON.parse(readFileSync(join(home, "bridges", file), "utf8")) as { token: string }).token,
  );
  expect(new Set(tokens).size).toBe(3);
});

test("another terminal has another identity, until the first one is closed", async () => {
  const { hub, start } = await placeBridges();
  const here = start();
  await here.join();
  await here.kill();
  // `setsid --wait` makes the bridge the only process of a session: a terminal that closes with it.
  const there = start({ under: ["setsid", "--wait", "sh", "-c", '"$@"; true', "sh"] });
  await there.join();
  expect(hub.registered).toHaveLength(2);
  there.end();
  await there.ended;
  const elsewhere = start({ under: ["setsid", "--wait", "sh", "-c", '"$@"; true', "sh"] });
  await elsewhere.join();
  expect(hub.registered).toHaveLength(2);
  expect(hub.calls.at(-1)?.headers.authorization).toBe("Bearer token-test-shop-2");
});

test("a given name is used as it is, and comes back in any terminal", async () => {
  const { hub, start } = await placeBridges();
  const first = start({ env: { JANUS_AGENT_NAME: "tab-1" } });
  await first.join();
  await first.kill();
  const second = start({ args: ["--name=tab-1"], under: ["setsid", "--wait"] });
  await second.join();
  expect(hub.registered).toMatchObject([{ name: "tab-1" }]);
});

test("an identity file is taken as it is; one that others can read is refused", async () => {
  const { home, hub, start } = await placeBridges();
  const file = join(home, "orch.json");
  writeFileSync(file, JSON.stringify({ url: "http://127.0.0.1:1", name: "orch", token: "token-orch" }), {
    mode: 0o644,
  });
  const open = start({ args: ["--identity", file] });
  const refused = await open.initialize();
  expect(refused.error?.message).toContain(`chmod 600 ${file}`);
  rmSync(file);
  writeFileSync(file, JSON.stringify({ url: "http://127.0.0.1:1", name: "orch", token: "token-orch" }), {
    mode: 0o600,
  });
  // The port in the file is an old one; the file lies in the home, so hub.json counts.
  expect((await open.request("tools/list")).result).toEqual({});
  expect(hub.calls.at(-1)?.headers.authorization).toBe("Bearer token-orch");
  expect(hub.registered).toEqual([]);
});

test("it stands aside in a CLI that the hub hosts", async () => {
  const { hub, start } = await placeBridges();
  const bridge = start({ env: { HUDDLE_HOSTED: "1" } });
  expect((await bridge.initialize()).result?.["instructions"]).toContain("stands aside");
  expect((await bridge.request("tools/list")).result).toEqual({ tools: [] });
  expect((await bridge.request("tools/call", { name: "send_message" })).error?.code).toBe(-32601);
  expect([hub.calls, hub.registered]).toEqual([[], []]);
});

test.runIf(process.platform === "linux")("also where the CLI keeps that it is hosted to itself", async () => {
  const { hub, start } = await placeBridges();
  const under = ["env", "HUDDLE_HOSTED=1", "sh", "-c", 'env -u HUDDLE_HOSTED "$@"; true', "sh"];
  const bridge = start({ under });
  expect((await bridge.initialize()).result?.["instructions"]).toContain("stands aside");
  expect(hub.registered).toEqual([]);
});

test("it beats while it lives", async () => {
  const { hub, start } = await placeBridges();
  const bridge = start();
  await bridge.join();
  await patiently(
    () => expect(hub.others).toContain("POST /api/agents/test-shop/heartbeat token-test-shop"),
    60_000,
  );
});

test("before it registers, it says the name that it will ask for, so that the instructions can; a probe registers nobody by it", async () => {
  const { hub, start } = await placeBridges();
  const bridge = start();
  await bridge.initialize();
  expect(hub.calls.at(-1)?.headers["huddle-name"]).toBe("test-shop");
  expect(hub.registered).toHaveLength(0);
});
