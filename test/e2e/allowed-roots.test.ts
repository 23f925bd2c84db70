import { mkdirSync, readFileSync, realpathSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, processesOf, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";

const yard = createHubYard();
let bound: Awaited<ReturnType<typeof startBound>>;
beforeAll(async () => {
  bound = await startBound();
});
afterAll(() => yard.clear());

/** A hub whose agents may work below one folder, and one of them. */
async function startBound() {
  const home = yard.home();
  const root = realpathSync(yard.home());
  const inside = join(root, "shop");
  mkdirSync(inside);
  const set = [`allowed_roots=${JSON.stringify([root])}`];
  const hub = await startHostingHub(yard, { home, set });
  const bob = await spawnAgent(hub, { name: "bob", project: inside });
  const identity: unknown = JSON.parse(readFileSync(join(home, "agents", bob.id, "identity.json"), "utf8"));
  const { token } = identity as { token: string };
  return { home, root, inside, set, hub, bob, token };
}

const put = (hub: HubProcess, name: string, token: string, project: string) =>
  hub.http.call("PUT", `/api/agents/${name}`, { token, body: { project } });

test("no agent, and not the operator, moves an agent that the hub runs out of the allowed roots", async () => {
  const { hub, root, inside, token } = bound;
  mkdirSync(join(root, "..x"));
  symlinkSync("/etc", join(root, "link"));

  for (const caller of [token, hub.operator]) {
    for (const project of ["/etc", join(root, "link"), `${inside}/../..`]) {
      expect(await put(hub, "bob", caller, project)).toMatchObject({
        status: 403,
        json: { code: "PROJECT_NOT_ALLOWED", project, allowed_roots: [root] },
      });
    }
  }
  expect(await put(hub, "bob", token, "shop")).toMatchObject({ status: 400 });
  const { json } = await hub.http.call("GET", "/api/agents/bob", { token });
  expect(json["project"]).toBe(inside);
  expect(await put(hub, "bob", token, join(root, "..x"))).toMatchObject({ status: 200 });
});

test("spawns and sessions outside are refused; what an attached agent says of itself is its own", async () => {
  const { hub, token } = bound;
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });

  for (const caller of [token, ann.token, hub.operator]) {
    const spawn = await hub.http.call("POST", "/api/agents/spawn", {
      token: caller,
      body: { backend: "scripted", project: "/etc" },
    });
    expect(spawn).toMatchObject({ status: 403, json: { code: "PROJECT_NOT_ALLOWED" } });
    const session = await hub.http.call("POST", "/api/sessions", {
      token: caller,
      body: { backend: "scripted", cwd: "/etc" },
    });
    expect(session).toMatchObject({ status: 403, json: { code: "PROJECT_NOT_ALLOWED" } });
  }
  expect(await put(hub, "ann", ann.token, "/etc")).toMatchObject({ status: 200 });
});

test("a folder that was replaced by a link while the hub was down is not entered by the next process", async () => {
  const { home, inside, set, hub, bob } = bound;
  expect(await put(hub, "bob", bound.token, inside)).toMatchObject({ status: 200 });
  await hub.stop();
  renameSync(inside, `${inside}-old`);
  symlinkSync("/etc", inside);

  const again = await startHostingHub(yard, { home, set });
  await again.http.call("POST", "/api/agents/bob/messages", {
    token: again.operator,
    body: { message: "!say hello" },
  });
  const evidence = await eventually(async () => {
    const { json } = await again.http.call("GET", "/api/agents/bob", { token: again.operator });
    return json["state"] === "error" ? String(json["evidence"]) : undefined;
  }, "bob failed to start");

  expect(evidence).toContain(`Agents may not work in '${inside}'`);
  expect(processesOf(bob.id)).toEqual([]);
});
