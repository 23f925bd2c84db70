import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { RuntimeKind } from "../../src/model/hosting.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { type Identity, type Member, memberAt, registerAgent } from "../fakes/member.js";
import { type ScriptedModel, startScriptedModel } from "../fakes/scripted-model/scripted-model.js";
import type { Client } from "./client.js";
import { installedProgram } from "./installed.js";
import { eventually } from "./lab.js";

/*
 * A hub that runs vendors' CLIs itself, as a person would have it: the CLIs on PATH, their own configuration in the
 * person's home, and in huddle.yaml only what points them at the scripted model.
 */

export type House = {
  hub(): HubProcess;
  model: ScriptedModel;
  /** The person's home folder; the project is below it. */
  home: string;
  /** Starts an agent; its model's lane has the client's name. */
  spawn(client: Client, runtime: RuntimeKind, fields: Record<string, unknown>): Promise<Hosted>;
  /** An agent that the test drives itself. */
  member(name: string): Promise<Member>;
  /** Ends the hub as asked and starts it again; members are to be taken anew. */
  restart(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  again(member: Identity): Member;
  /** Every process that has the person's home, but the hub: what the agents consist of. */
  processes(): AgentProcess[];
};

export type Hosted = { id: string; name: string; project: string };
export type AgentProcess = { pid: number; argv: string; environment: string };

export async function openHouse(clients: readonly Client[], set: readonly string[] = []): Promise<House> {
  const yard = createHubYard();
  const home = mkdtempSync(join(tmpdir(), "huddle-client-"));
  const model = await startScriptedModel();
  onTestFinished(async () => {
    await hub.kill();
    // They write into the hub's folder as long as they live.
    await eventually("all agents are gone", () => {
      const left = processes();
      for (const { pid } of left) killIfThere(pid);
      return left.length === 0 || undefined;
    });
    await yard.clear();
    await model.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }, 60_000);

  // Another folder than that of the hub, and one that its CLIs trust.
  const project = join(home, "project");
  mkdirSync(project);
  const backends = clients.map((client) => {
    const world = { home, cwd: project, modelUrl: model.laneUrl(client.name), mcp: {} };
    client.setUp(world);
    const args = client.hostedArgs === undefined ? {} : { args: client.hostedArgs };
    return [client.backend, { env: client.acp(world).env, ...args }] as const;
  });
  const data = yard.home();
  const settings = { backends: Object.fromEntries(backends), allowed_roots: [home] };
  writeFileSync(join(data, "huddle.yaml"), JSON.stringify(settings));
  const programs = clients.flatMap(({ programs }) => programs).map((name) => dirname(installedProgram(name)));
  const env = {
    PATH: [...programs, process.env["PATH"] ?? ""].join(delimiter),
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
  };
  const start = () => yard.start({ home: data, env, set });
  let hub = await start();

  function processes(): AgentProcess[] {
    return listProcesses().filter(
      ({ pid, environment }) => pid !== hub.pid && environment.split("\0").includes(`HOME=${home}`),
    );
  }

  return {
    hub: () => hub,
    model,
    home,
    async spawn({ backend }, runtime, fields) {
      const body = { backend, runtime, project, name: "worker", ...fields };
      const answer = await hub.http.call("POST", "/api/agents/spawn", { token: hub.operator, body });
      if (answer.status !== 201) throw new Error(`not spawned: ${answer.status} ${answer.text}`);
      const worker = answer.json as Hosted;
      await eventually(`${worker.name} is up`, async () => {
        const { json } = await hub.http.call("GET", `/api/agents/${worker.name}`, { token: hub.operator });
        return json["status"] !== "starting" || undefined;
      });
      return worker;
    },
    member: (name) => registerAgent(hub.http, hub.join, { name }),
    again: (member) => memberAt(hub.http, member),
    async restart(signal) {
      await (signal === "SIGKILL" ? hub.kill() : hub.stop());
      hub = await start();
    },
    processes,
  };
}

function listProcesses(): AgentProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const read = (file: string) => readFileSync(join("/proc", name, file), "utf8");
        return [{ pid: Number(name), argv: read("cmdline"), environment: read("environ") }];
      } catch {
        return []; // It ended meanwhile, or is somebody else's.
      }
    });
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended meanwhile.
  }
}
