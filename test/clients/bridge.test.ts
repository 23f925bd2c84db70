import { expect, test } from "vitest";
import { clients as vendorClients } from "../../src/runtime/vendors/clients.js";
import { shownTexts } from "../../src/selftest/scripted-model/conversation.js";
import { call } from "../../src/selftest/scripted-model/step.js";
import type { Member } from "../fakes/member.js";
import { clients } from "./clients.js";
import { eventually } from "./eventually.js";
import { nextMail } from "./hosted-mail.js";
import { type Lab, openLab } from "./lab.js";
import { during, runHeadless } from "./run-client.js";
import { describeVendor, provenBy } from "./sets.js";
import { shared } from "./shared.js";

/*
 * A vendor's own CLI on a scripted model, connected to a hub by the bridge as a person would connect it. One hub for all;
 * every test has agents of its own.
 */

const tools = [
  "list_agents",
  "send_message",
  "check_messages",
  "wait_for_message",
  "broadcast",
  "request_task",
  "claim_request",
  "claim_work",
  "release_work",
  "set_name",
  "message_status",
];

type Delivery = { to: string; state: string; evidence: unknown; answered?: unknown };

describeVendor((client) => {
  const open = shared(async (onClose) => {
    const lab = await openLab();
    onClose(lab.close);
    return lab;
  });

  test("is offered the tools, sends, waits for an answer and replies to it; the receipt says how we know", async () => {
    const lab = await open();
    const peer = await lab.member("peer");
    const world = lab.place(client, { name: "talker" });
    const prompt = [
      'Talk to peer. <<call send_message {"to":"peer","content":"a question from the agent"}>>',
      '<<call wait_for_message {"from":"peer","timeout_seconds":60}>> <<call list_agents>> <<hold receipt>>',
      '<<call send_message {"to":"peer","content":"thanks for {{message.content}}","reply_to":"{{message.id}}"}>>',
      "<<say the talk is over>>",
    ].join(" ");

    const running = runHeadless(client, world, prompt);
    const [question] = await during(running, nextMail(peer));
    const sent = await peer.send("talker", "the answer from peer");
    const receipt = () => deliveryOf(peer, sent.json["message_id"]);
    // The call after the one that returned the mail proves that the model has it.
    const seen = await during(
      running,
      eventually("the mail is seen", async () => {
        const delivery = await receipt();
        return delivery?.state === "seen" ? delivery : undefined;
      }),
    );
    lab.model.release("receipt");
    const run = await running;

    expect(question).toMatchObject({ from: "talker", content: "a question from the agent" });
    expect(offeredTo(lab, "talker")).toEqual(tools);
    expect(ownNamesakes(lab, "talker")).toEqual(knownNamesakes(client.name));
    expect(seen).toMatchObject({ to: "talker", evidence: "next_call" });
    expect(run.text).toContain("the talk is over");
    const [thanks] = await nextMail(peer);
    expect(thanks).toMatchObject({
      from: "talker",
      content: "thanks for the answer from peer",
      reply_to: sent.json["message_id"],
    });
    expect(await receipt()).toMatchObject({ to: "talker", state: "answered" });
    expect(lab.model.requests.timesShown("the answer from peer", "talker")).toBe(1);
  });

  function findsMail() {
    test("finds the mail that waited for it, in a session that it takes up again", async () => {
      const lab = await open();
      const friend = await lab.member("friend");
      const { file } = await lab.identity("reader");
      const world = lab.place(client, { name: "reader", identity: file });

      const first = await runHeadless(client, world, "The word is heron. <<call list_agents>> <<say noted>>");
      const order =
        'please reply <<call send_message {"to":"friend","content":"done","reply_to":"{{messages.0.id}}"}>>';
      const sent = await friend.send("reader", order);
      const second = await runHeadless(client, world, "Check. <<call check_messages>> <<say handled>>", {
        resume: first.session,
      });

      expect(second.text).toContain("handled");
      expect(lab.model.requests.main("reader").at(-1)?.conversation.messages.length).toBeGreaterThan(4);
      expect(lab.model.requests.timesShown("The word is heron", "reader")).toBe(1);
      expect(await nextMail(friend)).toMatchObject([
        { from: "reader", content: "done", reply_to: sent.json["message_id"] },
      ]);
      expect(await deliveryOf(friend, sent.json["message_id"])).toMatchObject({
        to: "reader",
        state: "answered",
      });
    });
  }
  if (client.name === "claude" || client.name === "codex") findsMail();
  else provenBy("the talk with a peer, and the same test with claude and codex", findsMail);

  // Each with the next: seven pairs of different vendors.
  const helper = clients[(clients.indexOf(client) + 1) % clients.length] ?? client;
  function asksAnother() {
    test(`asks, and ${helper.name} answers`, async () => {
      const lab = await open();
      const helping = lab.place(helper, { name: "helper" });
      const asking = lab.place(client, { name: "asker" });

      const helped = runHeadless(
        helper,
        helping,
        'Serve. <<call wait_for_message {"timeout_seconds":100}>> <<say served>>',
      );
      const waits = eventually("the helper waits", async () => {
        const asked = lab.model.requests.main("helper").length > 0;
        const { json } = await lab.hub.http.call("GET", "/api/agents", { token: lab.hub.operator });
        return asked && (json["agents"] as { name: string }[]).some(({ name }) => name === "helper");
      });
      await during(helped, waits);
      const reply = { to: "asker", content: "it is 42", reply_to: "{{message.id}}" };
      lab.model.on(/^what is it\?$/, [call("send_message", reply)], "helper");
      const asked = await runHeadless(
        client,
        asking,
        'Ask. <<call send_message {"to":"helper","content":"what is it?"}>> <<call wait_for_message {"from":"helper","timeout_seconds":60}>> <<say asked>>',
      );

      expect((await helped).text).toContain("served");
      expect(asked.text).toContain("asked");
      expect(lab.model.requests.timesShown("what is it?", "helper")).toBe(1);
      expect(lab.model.requests.timesShown("it is 42", "asker")).toBe(1);
      const log = await lab.hub.http.call("GET", "/api/search?q=42", { token: lab.hub.operator });
      expect(log.json["messages"]).toMatchObject([{ from: "helper", to: "asker", content: "it is 42" }]);
    });
  }
  if (client.name === "claude") asksAnother();
  else provenBy("the talk with a peer, and the same test with claude and codex", asksAnother);
});

/** The tools of the bridge that the model was offered, or told to search for. */
function offeredTo(lab: Lab, lane: string): string[] {
  const conversation = lab.model.requests.main(lane)[0]?.conversation;
  if (conversation === undefined) return [];
  const named = [
    ...conversation.tools.map(({ name, group = "" }) => `${group}_${name}`),
    ...shownTexts(conversation).flatMap((text) => text.split("\n")),
  ];
  return tools.filter((tool) =>
    named.some((name) => name.includes("huddle") && new RegExp(`[_-]${tool}$`).test(name)),
  );
}

/** Tools of the CLI's own that have names of ours. */
function ownNamesakes(lab: Lab, lane: string): string[] {
  const offered = lab.model.requests.main(lane)[0]?.conversation.tools ?? [];
  return offered
    .filter(({ name, group = "" }) => !group.includes("huddle") && [...tools, "spawn_agent"].includes(name))
    .map(({ name }) => name)
    .sort();
}

/** Those that its instructions tell from ours. */
function knownNamesakes(cli: string): readonly string[] {
  const known = vendorClients.find((one) => one.cli === cli);
  return known !== undefined && "namesakes" in known ? known.namesakes.tools : [];
}

async function deliveryOf(member: Member, id: unknown): Promise<Delivery | undefined> {
  const { json } = await member.receipt(String(id));
  return (json["deliveries"] as Delivery[])[0];
}
