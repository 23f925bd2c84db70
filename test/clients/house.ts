import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { RuntimeKind } from "../../src/model/hosting.js";
import { screenName, setUpBackends } from "../../src/selftest/offline/offline-backends.js";
import { type ScriptedModel, startScriptedModel } from "../../src/selftest/scripted-model/scripted-model.js";
import type { Caller } from "../fakes/http-call.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { type Member, registerAgent } from "../fakes/member.js";
import type { NetHost } from "../fakes/net-lab.js";
import type { Client } from "./client.js";
import { eventually } from "./eventually.js";
import { installedProgram } from "./installed.js";
import { killIfThere, type OwnProcess, processesWith } from "./processes.js";
import { clientTemp } from "./run-client.js";

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
  /** An agent that the test drives itself, before and after a restart. */
  member(name: string): Promise<Member>;
  /** Ends the hub as asked and starts it again. */
  restart(signal: "SIGTERM" | "SIGKILL", meanwhile?: () => unknown): Promise<void>;
  /** Every process that has the person's home, but the hub: what the agents consist of. */
  processes(): OwnProcess[];
  close(): Promise<void>;
};

type Hosted = { id: string; name: string; project: string };

/** The backend of one whose vendor tells of usage limits. */
export function subscribedName({ backend, subscribed }: Pick<Client, "backend" | "subscribed">): string {
  return subscribed === undefined ? backend : `${backend}-subscribed`;
}

/** For one test; `shared` opens one for several. */
export async function openOwnHouse(
  clients: readonly Client[],
  set: readonly string[] = [],
  machine?: NetHost,
): Promise<House> {
  const house = await openHouse(clients, set, "acp", machine);
  onTestFinished(() => house.close(), 180_000);
  return house;
}

/** `form`: as what the CLIs run, whose screens need more than the bare model. `machine`: where they and their hub are, if not here. */
export async function openHouse(
  clients: readonly Client[],
  set: readonly string[] = [],
  form: "acp" | "tui" = "acp",
  machine?: NetHost,
): Promise<House> {
  const yard = createHubYard();
  const home = mkdtempSync(join(tmpdir(), "home-"));
  const model = await startScriptedModel();
  await machine?.lend(Number(new URL(model.url).port));

  // Another folder than that of the hub, and one that its CLIs trust.
  const project = join(home, "project");
  mkdirSync(project);
  const backends = clients.map(({ hostedArgs, ...client }) => {
    const world = { home, cwd: project, modelUrl: model.laneUrl(client.name), mcp: {} };
    const isHosted = hostedArgs !== undefined && form === "acp";
    const made = setUpBackends(client.backend, { ...client, ...(isHosted ? { hostedArgs } : {}) }, world);
    if (client.subscribed === undefined) return made;
    const env = client.subscribed(client.env(world));
    return { ...made, [subscribedName(client)]: { like: client.backend, env } };
  });
  const data = yard.home();
  const settings = { backends: Object.assign({}, ...backends) as unknown, allowed_roots: [home] };
  writeFileSync(join(data, "huddle.yaml"), JSON.stringify(settings));
  const programs = clients.flatMap(({ programs }) => programs).map((name) => dirname(installedProgram(name)));
  const env = {
    PATH: [...programs, process.env["PATH"] ?? ""].join(delimiter),
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    TMPDIR: clientTemp(),
    TMUX_TMPDIR: tmpdir(),
  };
  // On a busy machine a screen may take longer than a person would wait for it.
  const patient = ["tmux.timeout_secs=20", "tmux.ready_timeout_secs=120", ...set];
  const start = () => (machine?.startHub ?? yard.start)({ home: data, env, set: patient });
  let hub = await start();

  // A restart changes the hub's address.
  const http: Caller = {
    get url() {
      return hub.url;
    },
    call: (method, path, options) => hub.http.call(method, path, options),
    close: () => hub.http.close(),
  };

  const processes = () =>
    processesWith((environment) => environment.split("\0").includes(`HOME=${home}`)).filter(
      ({ pid }) => pid !== hub.pid,
    );

  return {
    hub: () => hub,
    model,
    home,
    async spawn(client, runtime, fields) {
      const backend = runtime === "tmux" ? screenName(client.backend) : client.backend;
      const body = { backend, runtime, project, name: "worker", ...fields };
      const answer = await http.call("POST", "/api/agents/spawn", { token: hub.operator, body });
      if (answer.status !== 201) throw new Error(`not spawned: ${answer.status} ${answer.text}`);
      const worker = answer.json as Hosted;
      await eventually(`${worker.name} is up`, async () => {
        const { json } = await http.call("GET", `/api/agents/${worker.name}`, { token: hub.operator });
        return json["state"] !== "starting" || undefined;
      });
      return worker;
    },
    member: (name) => registerAgent(http, hub.join, { name }),
    async restart(signal, meanwhile = () => {}) {
      await (signal === "SIGKILL" ? hub.kill() : hub.stop());
      await meanwhile();
      hub = await start();
    },
    processes,
    async close() {
      await hub.kill();
      // They write into the hub's folder as long as they live.
      await eventually("all agents are gone", () => {
        const left = processes();
        for (const { pid } of left) killIfThere(pid);
        return left.length === 0;
      });
      await yard.clear();
      await model.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}
