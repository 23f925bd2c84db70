import { expect, test } from "vitest";
import { call, say } from "../../src/selftest/scripted-model/step.js";
import { claude } from "./claude.js";
import { codex } from "./codex.js";
import { eventually } from "./eventually.js";
import { openOwnHouse } from "./house.js";

/* Two vendors' CLIs under one hub. */

test("two agents of different vendors talk to each other until their budget is spent, and then the person is asked", async () => {
  const house = await openOwnHouse([claude, codex], ["conversation.hops=6"]);
  const { model } = house;
  const answer = (to: string) => [call("send_message", { to, content: "your turn" }), say("sent")];
  model.on(/your turn/, answer("ben"), "claude");
  model.on(/your turn/, answer("ann"), "codex");
  await house.spawn(claude, "acp", { name: "ann" });
  await house.spawn(codex, "acp", { name: "ben" });

  const { http, operator } = house.hub();
  const ask = (path: string) => http.call("GET", path, { token: operator });
  await http.call("POST", "/api/agents/ann/messages", { token: operator, body: { message: "your turn" } });
  const paused = await eventually("the conversation is paused", async () => {
    const { json } = await ask("/api/conversations");
    return (json["conversations"] as { state: string; hop: number }[])[0];
  });

  expect(paused).toMatchObject({ state: "paused" });
  const { json } = await ask("/api/search?q=turn&limit=100");
  const mail = json["messages"] as { id: string; from: string }[];
  const states = await Promise.all(
    mail.map(async ({ id }) => {
      const receipt = await ask(`/api/messages/${id}`);
      return (receipt.json["deliveries"] as { state: string; reason: string | null }[])[0];
    }),
  );
  expect(states.filter((delivery) => delivery?.state === "held")).toMatchObject([{ reason: "budget" }]);
  expect(new Set(mail.map(({ from }) => from))).toEqual(new Set(["user", "ann", "ben"]));
  expect(mail.length).toBeLessThanOrEqual(8);
});
