import { resolve } from "node:path";
import type { HubOptions, HubProcess, HubYard } from "./hub-process.js";
import { PATIENCE_MS } from "./patience.js";
import { createPause } from "./patiently.js";
import { readProcesses } from "./processes.js";

/*
 * Real hubs that run real processes: the scripted agent speaks ACP over stdio, and does what its prompt says (`!word`).
 */

const program = resolve("test", "fakes", "scripted-agent", "acp.mjs");

const scriptedSettings = [
  `backends.scripted.acp=${JSON.stringify([process.execPath, program])}`,
  'allowed_roots=["/"]',
];

export function startHostingHub(yard: HubYard, options: HubOptions = {}): Promise<HubProcess> {
  return yard.start({ ...options, set: [...scriptedSettings, ...(options.set ?? [])] });
}

/** Tests of whole hubs have ten minutes: whatever several processes must do for it may take this long. */
const LONG_PATIENCE_MS = 3 * PATIENCE_MS;

export async function eventually<T>(
  read: () => Promise<T | undefined>,
  what: string | (() => string),
  withinMs = LONG_PATIENCE_MS,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (const pause = createPause(); ; await pause()) {
    const value = await read();
    if (value !== undefined) return value;
    if (Date.now() > deadline) {
      throw new Error(`this never came to be: ${typeof what === "string" ? what : what()}`);
    }
  }
}

type Step = { state: string; route?: string; evidence?: string; stop?: string; attempt?: number };
export type DeliveryView = { to: string; state: string; reason: string | null; steps: Step[] };

/** The message's one delivery, once it has taken this step. */
export function reaches(hub: HubProcess, id: string, state: string): Promise<DeliveryView> {
  let last: DeliveryView | undefined;
  return eventually(
    async () => {
      const { json } = await hub.http.call("GET", `/api/messages/${id}`, { token: hub.operator });
      [last] = json["deliveries"] as DeliveryView[];
      return last?.steps.some((step) => step.state === state) === true ? last : undefined;
    },
    () => `${id} is ${state}; it is ${JSON.stringify(last)}`,
  );
}

export type SpawnedAgent = { id: string; name: string; project: string; state: string };

export async function spawnAgent(
  hub: HubProcess,
  fields: Record<string, unknown> & { project: string },
): Promise<SpawnedAgent> {
  const body = { backend: "scripted", ...fields };
  const answer = await hub.http.call("POST", "/api/agents/spawn", { token: hub.operator, body });
  if (answer.status !== 201) throw new Error(`not spawned: ${answer.status} ${answer.text}`);
  return answer.json as SpawnedAgent;
}

/** The processes that carry an agent's mark in their environment. */
export function processesOf(agent: string): string[] {
  return readProcesses("environ")
    .filter(([, text]) => text.includes(`:${agent}\0`))
    .map(([path]) => path);
}

/** In the hub's own words. */
export async function stateOf(hub: HubProcess, name: string): Promise<string> {
  const { json } = await hub.http.call("GET", `/api/agents/${name}`, { token: hub.operator });
  return String(json["state"]);
}
