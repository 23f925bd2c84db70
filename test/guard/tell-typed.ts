import type { Say } from "./tell-http.js";

/** Messages whose fields say something, and what they do. */
export async function tellTyped(say: Say): Promise<void> {
  const send = "/api/agents/benjamin/messages";
  await say("ann", "POST", send, { type: "status", status: "busy", id: "t-1" });
  await say("ann", "POST", send, { type: "coordination", action: "claim", task: "the docs", id: "t-2" });
  await say("ann", "POST", send, { type: "pr-review", repo: "acme/site", pr: 12, id: "t-3" });
  await say("ben", "POST", "/api/agents/ann/messages", {
    type: "coordination",
    action: "claim",
    task: "the docs",
    id: "t-4",
  });
  await say("ann", "POST", send, { type: "coordination", action: "claim" });
  await say("ann", "POST", "/api/memory", { name: "notes/login.md", content: "It works", to: ["benjamin"] });
  await say("ben", "POST", "/api/memory", { name: "../login.md", content: "It works" });
  await say("ben", "GET", "/api/memory");
  await say("ben", "GET", "/api/memory/notes%2Flogin.md");
  await say("ben", "GET", "/api/memory/notes.md");
  const handoff = {
    to: "benjamin",
    task: "the docs",
    summary: "The half is done.",
    files: ["a.md"],
    id: "h-1",
  };
  await say("ann", "POST", "/api/agents/ann/handoff", handoff);
  await say("ann", "POST", "/api/agents/ann/handoff", { ...handoff, summary: "" });
  await say("ann", "POST", "/api/agents/benjamin/handoff", { ...handoff, to: "ann" });
  await say("ann", "POST", send, { type: "pr-review", repo: "acme/site", status: "idle" });
}
