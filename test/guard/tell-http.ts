import { join } from "node:path";
import { expect } from "vitest";
import type { HubProcess } from "../fakes/hub-process.js";
import { patiently } from "../fakes/patiently.js";
import { tellTyped } from "./tell-typed.js";
import { tellWork } from "./tell-work.js";
import type { Transcript } from "./transcript.js";

/*
 * Every route once as it is meant, and refused in the ways that programs meet. One call after the other, so that every
 * number in the answers is the same in each run.
 */

type Call = readonly [as: string | undefined, method: string, path: string, body?: unknown];

export type Said = { calls: string[] };

export async function tellHttp(hub: HubProcess, transcript: Transcript, project: string): Promise<Said> {
  const calls: string[] = [];
  const tokens: Record<string, string> = { operator: hub.operator, join: hub.join };

  async function say(...[as, method, path, body]: Call): Promise<Record<string, unknown>> {
    const token = as === undefined ? undefined : (tokens[as] ?? as);
    const { status, headers, json, text } = await hub.http.call(method, path, { token, body });
    calls.push(`${method} ${path.split("?")[0]}`);
    const asked = `${as ?? "nobody"}: ${method} ${path}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`;
    transcript.add(asked, { status, type: headers["content-type"] ?? null, body: text === "" ? null : json });
    return json;
  }

  await say(undefined, "GET", "/api/agents");
  await say("wrong", "GET", "/api/agents");
  await say("join", "GET", "/api/agents");
  for (const name of ["ann", "ben"]) {
    const { token } = await say("join", "POST", "/api/agents", { name, team: "red", project });
    tokens[name] = String(token);
  }
  await tellAgents(say);
  await tellMail(say);
  await tellRequests(say);
  await tellSessions(say, project, () => caughtUp(hub));
  await tellUpkeep(say, hub);
  await tellWork(say, project);
  await tellTyped(say);
  await tellHosting(say, project, (name) => isGone(hub, name));
  await say("ben", "DELETE", "/api/agents/benjamin");
  await say("ben", "GET", "/api/inbox");
  return { calls };
}

export type Say = (...call: Call) => Promise<Record<string, unknown>>;

async function tellAgents(say: Say): Promise<void> {
  await say("join", "POST", "/api/agents", { name: "Not A Name" });
  await say("join", "POST", "/api/agents", { name: "human" });
  await say("join", "POST", "/api/agents", { nmae: "typo" });
  await say("join", "POST", "/api/agents", "{");
  await say("ann", "GET", "/api/agents?limit=1");
  await say("ann", "GET", "/api/agents?team=blue");
  await say("ann", "GET", "/api/agents?limit=0");
  await say("ann", "GET", "/api/directory?limit=1");
  await say("ann", "GET", "/api/directory?cursor=:1:ann/red");
  await say("ann", "GET", "/api/directory?cursor=nowhere");
  await say("ann", "GET", "/api/agents/ben");
  await say("ann", "GET", "/api/agents/bne");
  await say("ann", "PUT", "/api/agents/ben", { team: "blue" });
  await say("ben", "PUT", "/api/agents/ben", { name: "benjamin", attention: "queue", model: "m" });
  await say("ben", "POST", "/api/agents/benjamin/heartbeat");
  await say("ann", "PATCH", "/api/agents/ann");
  await say("ann", "GET", "/api/nothing");
}

async function tellMail(say: Say): Promise<void> {
  const send = "/api/agents/benjamin/messages";
  await say("ann", "POST", send, { message: "hello", id: "m-1", context: "the desk" });
  await say("ann", "POST", send, { message: "hello", id: "m-1", context: "the desk" });
  await say("ann", "POST", send, { message: "other", id: "m-1" });
  await say("ann", "POST", send, { message: "x", sender: "ben" });
  await say("ann", "POST", send, { message: "" });
  await say("ann", "POST", "/api/agents/ann/messages", { message: "to myself" });
  await say("ann", "POST", "/api/agents/nobody/messages", { message: "x" });
  await say("ann", "POST", "/api/agents/ben/messages", { message: "by the old name", id: "m-2" });
  await say("ben", "GET", "/api/inbox?limit=1");
  await say("ben", "GET", "/api/inbox");
  await say("ben", "GET", "/api/inbox?from=ann&after=3");
  await say("ben", "GET", "/api/inbox?wait=0.01&from=user");
  await say("ben", "POST", "/api/inbox/ack", { ids: ["m-1", "nothing"] });
  await say("ben", "POST", "/api/agents/ann/messages", { message: "hi", id: "m-3", reply_to: "m-2" });
  await say("ann", "GET", "/api/messages/m-1");
  await say("ann", "GET", "/api/messages/m-2");
  await say("ann", "GET", "/api/messages/none");
  await say("operator", "GET", "/api/messages/m-3/thread");
  await say("ann", "GET", "/api/agents/ann/messages?limit=2");
  await say("ann", "GET", "/api/agents/ben/messages");
  await say("operator", "POST", send, { message: "from the person", id: "m-4", attention: "interrupt" });
  await say("ann", "POST", "/api/agents/broadcast", { message: "all of you", id: "m-5" });
  await say("ann", "POST", "/api/agents/broadcast", { message: "x", team: "nobody" });
  await say("ben", "POST", "/api/inbox/hook", { moment: "prompt" });
  await say("ben", "POST", "/api/inbox/hook", { moment: "never" });
  await say("operator", "GET", "/api/messages?limit=2");
  await say("operator", "GET", "/api/search?q=hello");
  await say("ann", "GET", "/api/search?from=ann&type=broadcast");
  await say("operator", "GET", "/api/search/count?q=hello&every=10");
  await say("ann", "GET", "/api/search/count?q=status:undelivered");
  await say("operator", "GET", "/api/conversations");
  await say("operator", "POST", "/api/conversations/none", { decision: "continue" });
  await say("ann", "POST", "/api/conversations/none", { decision: "continue" });
  await say("operator", "POST", "/api/pairs/ann/ben", { action: "pause" });
  await say("operator", "POST", "/api/pairs/ann/ben", { action: "resume" });
  await say("operator", "POST", "/api/pairs/user/ben", { action: "pause" });
  await say("ann", "POST", "/api/pairs/ann/ben", { action: "reset" });
  await say("ann", "GET", "/api/pairs");
  await say("operator", "GET", "/api/peers");
  await say("operator", "POST", "/api/peers", { name: "mini", host: "127.0.0.1" });
  await say("operator", "POST", "/api/peers", { name: "mini", host: "http://mini", secret: "file:mini" });
  await say("operator", "POST", "/api/peers/join", { line: "no invitation" });
  await say("operator", "POST", "/api/peers/mini/ping");
  await say("operator", "GET", "/api/peers/mini/agents");
  await say("operator", "DELETE", "/api/peers/mini");
  await say("ann", "GET", "/api/peers");
  await say("operator", "GET", "/api/fabric");
  await say("operator", "POST", "/api/fabric/join", { line: "no admission" });
  await say("operator", "DELETE", "/api/fabric");
  await say("operator", "GET", "/api/held");
  await say("ann", "GET", "/api/held");
}

async function tellRequests(say: Say): Promise<void> {
  await say("ann", "POST", "/api/requests", { description: "review", id: "r-1", timeout_seconds: 600 });
  await say("ann", "GET", "/api/requests?status=open");
  await say("ann", "POST", "/api/requests/req-r-1/nudge");
  await say("ann", "POST", "/api/requests/req-r-1/claim");
  await say("ben", "POST", "/api/requests/req-r-1/claim");
  await say("operator", "POST", "/api/requests/req-r-1/claim");
  await say("ben", "POST", "/api/requests/req-r-1/answer", { message: "done", id: "m-6" });
  await say("ann", "GET", "/api/inbox?request_id=req-r-1");
  await say("ann", "GET", "/api/requests?limit=1");
  await say("operator", "GET", "/api/requests/req-r-1");
  await say("ann", "GET", "/api/requests/req-none");
  await say("ann", "POST", "/api/requests/req-none/claim");
  await say("ann", "POST", "/api/claims", { task: "the build", action: "claim", lease_seconds: 600 });
  await say("ben", "POST", "/api/claims", { task: "the build", action: "claim" });
  await say("ben", "GET", "/api/claims");
  await say("ann", "POST", "/api/claims", { task: "the build", action: "release" });
}

async function tellSessions(say: Say, cwd: string, settled: () => Promise<void>): Promise<void> {
  const { sessionId } = await say("ann", "POST", "/api/sessions", { cwd, name: "guest" });
  await say("ann", "POST", `/api/sessions/${String(sessionId)}/messages`, {
    message: "hello",
    source: "agent",
  });
  await settled();
  await say("ann", "GET", `/api/sessions/${String(sessionId)}/state`);
  await say("ann", "GET", "/api/sessions/none/state");
}

async function tellUpkeep(say: Say, hub: HubProcess): Promise<void> {
  await say("operator", "GET", "/api/health");
  await say("ann", "GET", "/api/health");
  // What the operator gets are figures of this machine: health.test.ts has them.
  await say("ann", "GET", "/api/health/details");
  await say("operator", "POST", "/auth/ticket");
  const { code } = await say("operator", "POST", "/auth/code");
  await say(undefined, "POST", "/auth/exchange", { code });
  await say(undefined, "POST", "/auth/exchange", { code });
  await say("operator", "POST", "/api/backup", { file: join(hub.home, "copy.db") });
  await say("operator", "POST", "/api/backup", { file: join(hub.home, "copy.db") });
  await say("operator", "POST", "/api/prune", { before: "2020-01-01T00:00:00Z" });
  await say("ann", "POST", "/api/prune", { before: "2020-01-01T00:00:00Z" });
  await say("operator", "GET", "/api/permissions");
  await say("operator", "GET", "/api/needs-you");
  await say("ann", "GET", "/api/needs-you");
  await say("operator", "POST", "/api/permissions/none", { decision: "once" });
}

async function tellHosting(say: Say, project: string, gone: (name: string) => Promise<void>): Promise<void> {
  const hal = { name: "hal", project, backend: "scripted" };
  await say("operator", "POST", "/api/agents/spawn", hal);
  await say("operator", "POST", "/api/agents/spawn", { ...hal, backend: "none" });
  await say("operator", "POST", "/api/agents/spawn", { ...hal, runtime: "headless" });
  await say("operator", "GET", "/api/agents/hal");
  await say("operator", "GET", "/api/agents/hal/turns?limit=1");
  await say("ann", "GET", "/api/agents/hal/turns");
  await say("operator", "GET", "/api/agents/hal/screen");
  await say("ann", "GET", "/api/agents/hal/screen");
  await say("ann", "POST", "/api/agents/hal/kill");
  await say("ann", "POST", "/api/agents/ann/kill");
  await say("operator", "POST", "/api/agents/hal/kill");
  await gone("hal");
  await say("operator", "POST", "/api/agents/spawn", { ...hal, name: "iris" });
  await say("operator", "POST", "/api/agents/iris/shutdown", { reason: "enough" });
  await gone("iris");
  await say("ann", "POST", "/api/agents/adopt", { target: "%1" });
  await say("operator", "POST", "/api/agents/adopt", { target: "not a pane" });
  await say("ann", "GET", "/api/panes");
  await say("operator", "GET", "/api/panes?socket=huddle-none");
}

/** What is only read follows a moment behind. */
function caughtUp(hub: HubProcess): Promise<void> {
  return patiently(async () => {
    const { json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
    const { totals, journal } = json as { totals: Record<string, number>; journal: { seq: number } };
    expect(Object.values(totals).reduce((sum, n) => sum + n, 0)).toBe(journal.seq);
  });
}

function isGone(hub: HubProcess, name: string): Promise<void> {
  return patiently(async () => {
    const { json } = await hub.http.call("GET", `/api/agents/${name}`, { token: hub.operator });
    expect(json["code"]).toBe("AGENT_GONE");
  });
}
