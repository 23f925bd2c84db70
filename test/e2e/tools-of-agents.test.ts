// The set `agent`, field by field.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { connectMcp, type McpMember } from "../fakes/mcp-client.js";
import { registerAgent } from "../fakes/member.js";

const yard = createHubYard();
let hub: HubProcess;

beforeAll(async () => {
  hub = await yard.start({ set: ["presence.offline_after=24h"] });
});
afterAll(() => yard.clear());

type Joined = McpMember & { name: string };

async function join(
  name: string,
  { set = "agent", ...fields }: Record<string, string> = {},
): Promise<Joined> {
  const member = await registerAgent(hub.http, hub.join, { name, ...fields });
  return { ...(await connectMcp(hub, member.token, { set })), name: member.name };
}

const rows = (answer: Record<string, unknown>, key: string) => answer[key] as Record<string, unknown>[];

test("list_agents says who runs on what, what each is on, and since when", async () => {
  const codex = await join("codex", { model: "gpt" });
  const qwen = await join("qwen", { set: "huddle" });
  await qwen.call("claim_work", { task: "the login" });

  const agents = rows(await codex.call("list_agents"), "agents");

  const shown = {
    status: expect.stringMatching(/^(running|idle|waiting)$/) as unknown,
    uptime_seconds: expect.any(Number) as unknown,
  };
  const find = (wanted: string) => agents.find(({ name }) => name === wanted);
  expect(find(codex.name)).toEqual({ name: codex.name, model: "gpt", ...shown });
  expect(find(qwen.name)).toEqual({
    name: qwen.name,
    model: "unknown",
    current_task: "the login",
    ...shown,
  });
});

test("a message says its id, type, both ends, content and time, and an answer which one it answers", async () => {
  const [codex, gemini] = [await join("codex"), await join("gemini")];
  const sent = await codex.call("send_message", { to: gemini.name, content: "Found it." });
  expect(sent).toMatchObject({ message_id: expect.any(String) as unknown, delivered: true });

  const [mail] = rows(await gemini.call("check_messages"), "messages");

  expect(mail).toMatchObject({
    id: sent["message_id"],
    type: "message",
    from: codex.name,
    to: gemini.name,
    content: "Found it.",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown,
  });
  const answer = { to: codex.name, content: "Verified.", reply_to: mail?.["id"] };
  const replied = await gemini.call("send_message", answer);
  expect(rows(await codex.call("check_messages"), "messages")).toMatchObject([
    { id: replied["message_id"], content: "Verified.", reply_to: mail?.["id"] },
  ]);
});

test("a request is for all, says who has it once it is claimed, and comes again as a nudge", async () => {
  const [codex, gemini] = [await join("codex"), await join("gemini")];
  const [droid, qwen] = [await join("droid"), await join("qwen")];
  const description = "Verify the fix";
  const asked = await codex.call("request_task", {
    description,
    context: "config.ts:42",
    timeout_seconds: 600,
  });
  const { request_id } = asked;
  expect(asked).toEqual({ request_id: expect.any(String) as unknown, status: "open" });
  const nudge = `/api/requests/${String(request_id)}/nudge`;
  await hub.http.call("POST", nudge, { token: hub.operator });

  const mail = rows(await droid.call("check_messages"), "messages");
  expect(mail).toMatchObject([
    { type: "request", to: "all", request_id, content: description, context: "config.ts:42" },
    { type: "nudge", to: "all", request_id },
  ]);
  const claimed_by = gemini.name;
  expect(await gemini.call("claim_request", { request_id })).toMatchObject({
    claimed: true,
    request: { request_id, description, context: "config.ts:42", claimed_by },
  });
  expect(await droid.call("claim_request", { request_id })).toMatchObject({
    claimed: false,
    request: { claimed_by },
  });
  expect(rows(await qwen.call("check_messages"), "messages")[0]).toMatchObject({ request_id, claimed_by });
});
