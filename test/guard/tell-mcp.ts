import { expect } from "vitest";
import { type ToolsetName, toolsetNames } from "../../src/model/toolset.js";
import type { HubProcess } from "../fakes/hub-process.js";
import type { Member } from "../fakes/member.js";
import { patiently } from "../fakes/patiently.js";
import type { Transcript } from "./transcript.js";

/* What a client of the tools' protocol says and hears, in both eras of it. */

const MODERN = "2026-07-28";
const LEGACY = "2025-11-25";
const client = { name: "test", version: "1" };
const envelope = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": client,
  "io.modelcontextprotocol/clientCapabilities": {},
};

type Rpc = { method: string; params?: Record<string, unknown> };

export async function tellMcp(
  hub: HubProcess,
  { ann, ben }: { ann: Member; ben: Member },
  transcript: Transcript,
): Promise<void> {
  let id = 0;
  async function say(
    who: Member,
    tools: string,
    { method, params = {} }: Rpc,
    isModern = false,
  ): Promise<void> {
    const message = {
      jsonrpc: "2.0",
      id: ++id,
      method,
      params: isModern ? { ...params, _meta: envelope } : params,
    };
    const headers: Record<string, string> = {
      accept: "application/json, text/event-stream",
      ...(isModern ? { "mcp-protocol-version": MODERN, "mcp-method": method } : {}),
      ...(isModern && typeof params["name"] === "string" ? { "mcp-name": params["name"] } : {}),
    };
    const path = `/mcp?tools=${tools}`;
    const {
      status,
      json,
      headers: got,
    } = await hub.http.call("POST", path, {
      token: who.token,
      body: message,
      headers,
    });
    const asked = `${who.name} (${tools}, ${isModern ? MODERN : LEGACY}): ${method} ${JSON.stringify(params)}`;
    transcript.add(asked, { status, type: got["content-type"] ?? null, body: json });
  }
  const call = (who: Member, tools: ToolsetName, name: string, args: Record<string, unknown> = {}) =>
    say(who, tools, { method: "tools/call", params: { name, arguments: args } });

  const opening = { protocolVersion: LEGACY, capabilities: {}, clientInfo: client };
  await say(ann, "huddle", { method: "initialize", params: opening });
  await say(ann, "huddle", { method: "initialize", params: { ...opening, protocolVersion: "1999-01-01" } });
  await say(ann, "huddle", { method: "server/discover" }, true);
  for (const tools of toolsetNames) await say(ann, tools, { method: "tools/list" });
  await say(ann, "huddle", { method: "tools/list" }, true);
  await say(ann, "none", { method: "tools/list" });
  for (const method of ["prompts/list", "resources/list", "resources/templates/list", "ping", "x/y"])
    await say(ann, "huddle", { method });

  await call(ann, "huddle", "send_message", { to: "ben", content: "hello" });
  await call(ann, "huddle", "send_message", { to: "nobody", content: "hello" });
  await call(ann, "huddle", "send_message", { to: "ben" });
  await call(ann, "huddle", "send_message", { to: "ben", type: "pr-review", repo: "acme/site", pr: 12 });
  await call(ann, "huddle", "send_message", { to: "ben", type: "coordination", action: "claim" });
  await call(ann, "huddle", "no_such_tool");
  await call(ben, "huddle", "check_messages");
  await call(ben, "huddle", "check_messages");
  await call(ben, "agent", "wait_for_message", { timeout_seconds: 0.05 });
  await call(ben, "huddle", "list_agents");
  await call(ben, "agent", "list_agents");
  await call(ben, "tabs", "list_agents");
  await call(ben, "tabs", "send_to_agent", { target: "ann", message: "as a tab" });
  await call(ann, "huddle", "wait_for_message", { timeout_seconds: 5 });
  await call(ann, "huddle", "broadcast", { content: "all of you" });
  await call(ann, "huddle", "request_task", { description: "review", timeout_seconds: 60 });
  await call(ben, "huddle", "claim_request", { request_id: "req-none" });
  await call(ann, "huddle", "claim_work", { task: "the build" });
  await call(ben, "huddle", "claim_work", { task: "the build" });
  await call(ann, "huddle", "release_work", { task: "the build" });
  await call(ann, "huddle", "set_name", { name: "anna" });
  await lastSaidTo(hub, ben, "review");
  await call(ann, "sessions", "get_session_state", { sessionId: ben.id });
  await call(ann, "sessions", "send_agent_message", { sessionId: ben.id, message: "to a session" });
  await say(
    ann,
    "huddle",
    { method: "tools/call", params: { name: "message_status", arguments: { message_id: "none" } } },
    true,
  );
}

/** What was said last follows the journal a moment behind. */
function lastSaidTo(hub: HubProcess, { id }: Member, content: string): Promise<void> {
  return patiently(async () => {
    const { json } = await hub.http.call("GET", `/api/sessions/${id}/state`, { token: hub.operator });
    expect(json["lastMessage"]).toMatchObject({ content });
  });
}
