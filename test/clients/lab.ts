import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type ScriptedModel, startScriptedModel } from "../../src/selftest/scripted-model/scripted-model.js";
import { createHubYard, type HubOptions, type HubProcess } from "../fakes/hub-process.js";
import { type Member, registerAgent } from "../fakes/member.js";
import type { Client, ClientWorld } from "./client.js";

/*
 * What a test with real CLIs needs: a hub, a model, and for every CLI a home and a project of its own. `close` ends
 * all of it.
 */

export type Lab = {
  hub: HubProcess;
  model: ScriptedModel;
  /** A CLI wired to the hub through the bridge; its model's lane has the agent's name. */
  place(client: Client, bridge: BridgeOptions): ClientWorld;
  /** An agent that the test drives itself. */
  member(name: string): Promise<Member>;
  /** An agent for a bridge with `--identity`. */
  identity(name: string): Promise<Member & { file: string }>;
  folder(): string;
  close(): Promise<void>;
};

type BridgeOptions = { name: string } | { name: string; identity: string };

/** What `npm run build` makes, beside the hub's own program. */
const bridgePath = (): string =>
  join(dirname(resolve(process.env["HUDDLE_MAIN"] ?? join("dist", "main.js"))), "mcp-bridge.cjs");

export async function openLab(options: HubOptions = {}): Promise<Lab> {
  const yard = createHubYard();
  const folders: string[] = [];
  const model = await startScriptedModel();
  const hub = await yard.start(options);

  function folder(): string {
    const made = mkdtempSync(join(tmpdir(), "home-"));
    folders.push(made);
    return made;
  }

  return {
    hub,
    model,
    folder,
    place(client, bridge) {
      const home = folder();
      const cwd = join(home, "project");
      mkdirSync(cwd);
      const args =
        "identity" in bridge
          ? [bridgePath(), "--identity", bridge.identity]
          : [bridgePath(), "--name", bridge.name];
      const world: ClientWorld = {
        home,
        cwd,
        modelUrl: model.laneUrl(bridge.name),
        mcp: { huddle: { command: process.execPath, args, env: { HUDDLE_HOME: hub.home } } },
      };
      client.setUp(world);
      return world;
    },
    member: (name) => registerAgent(hub.http, hub.join, { name }),
    async identity(name) {
      const member = await registerAgent(hub.http, hub.operator, { name });
      const file = join(folder(), "identity.json");
      writeFileSync(file, JSON.stringify({ url: hub.url, name: member.name, token: member.token }), {
        mode: 0o600,
      });
      return { ...member, file };
    },
    async close() {
      await yard.clear();
      await model.close();
      for (const made of folders)
        rmSync(made, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}
