/*
 * The agent that the demo's hub runs: a program of its own, which speaks ACP over stdin and stdout as a vendor's CLI does.
 * What it does is written here, so it needs no model, no account and no network.
 */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { agent, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { answerTo, isCleaning } from "./script.js";

let folder = "";

const app = agent({ name: "scripted" })
  .onRequest("initialize", () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentCapabilities: { loadSession: false },
  }))
  .onRequest("session/new", ({ params }) => {
    folder = params.cwd;
    return { sessionId: randomUUID() };
  })
  .onRequest("session/prompt", async ({ params: { sessionId, prompt }, client }) => {
    const text = prompt.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    const say = (words: string) =>
      client.notify("session/update", {
        sessionId,
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: words } },
      });
    if (!isCleaning(text)) {
      await say(answerTo(text));
      return { stopReason: "end_turn" };
    }
    const toolCallId = randomUUID();
    await client.notify("session/update", {
      sessionId,
      update: {
        sessionUpdate: "tool_call",
        toolCallId,
        title: "rm -rf build",
        kind: "execute",
        status: "pending",
        rawInput: { command: "rm -rf build" },
      },
    });
    const { outcome } = await client.request("session/request_permission", {
      sessionId,
      toolCall: { toolCallId },
      options: [
        { optionId: "yes", name: "Allow once", kind: "allow_once" },
        { optionId: "no", name: "Deny", kind: "reject_once" },
      ],
    });
    const isAllowed = outcome.outcome === "selected" && outcome.optionId === "yes";
    if (isAllowed) rmSync(join(folder, "build"), { recursive: true, force: true });
    await client.notify("session/update", {
      sessionId,
      update: {
        sessionUpdate: "tool_call_update",
        toolCallId,
        status: isAllowed ? "completed" : "failed",
      },
    });
    await say(isAllowed ? "I removed build." : "I left build as it is.");
    return { stopReason: "end_turn" };
  })
  .onNotification("session/cancel", () => {});

const connection = app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
void connection.closed.then(() => process.exit(0));
