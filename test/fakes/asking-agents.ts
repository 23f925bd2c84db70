import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./hosting-hub.js";
import type { HubProcess } from "./hub-process.js";

/* Scripted agents that ask the person for something, as a test says. */

type ToolCall = {
  title: string;
  kind?: string;
  rawInput?: unknown;
  locations?: unknown;
  content?: unknown;
  options?: readonly { optionId: string; name: string; kind: string }[];
};

const grants = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "all", name: "Always allow npm test", kind: "allow_always" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

type Permission = { id: string; agent: string };

let files = 0;

/** Starts an agent unless it is there, has it ask, and gives the id of what it asks once the hub has it. */
export async function askPerson(hub: HubProcess, name: string, call: ToolCall): Promise<string> {
  const token = hub.operator;
  const project = join(hub.home, "project");
  mkdirSync(project, { recursive: true });
  const known = await openPermissions(hub);
  const there = await hub.http.call("GET", `/api/agents/${name}`, { token });
  if (there.status === 404)
    await hub.http.call("POST", "/api/agents/spawn", { token, body: { name, backend: "scripted", project } });
  const file = join(hub.home, `ask-${files++}.json`);
  writeFileSync(file, JSON.stringify({ options: grants, kind: "execute", ...call }));
  await hub.http.call("POST", `/api/agents/${name}/messages`, { token, body: { message: `!ask ${file}` } });
  const asked = await eventually(
    async () => (await openPermissions(hub)).find(({ id }) => !known.some((one) => one.id === id)),
    `${name} asks`,
  );
  return asked.id;
}

export async function openPermissions(hub: HubProcess): Promise<Permission[]> {
  const { json } = await hub.http.call("GET", "/api/permissions", { token: hub.operator });
  return json["permissions"] as Permission[];
}

/** How it was answered, once it is. */
export function answerOf(hub: HubProcess, id: string): Promise<Record<string, unknown>> {
  return eventually(async () => {
    const { json } = await hub.http.call("GET", "/api/permissions?state=answered", { token: hub.operator });
    return (json["permissions"] as Record<string, unknown>[]).find((one) => one["id"] === id);
  }, `an answer to ${id}`);
}
