import fc from "fast-check";
import { expect, test } from "vitest";
import { checkAsyncProperty } from "../../test/fakes/check-property.js";
import { openHostedHub } from "../../test/fakes/hosted-hub.js";
import type { Attention } from "../model/attention.js";
import { deliveryStates } from "../model/delivery.js";

/*
 * Promise 3 for agents that the hub runs: between two agents, whatever is sent in which way, and whatever the agent does
 * with it (takes it, dies, is interrupted, reads its inbox by itself), nothing overtakes, and nothing is lost.
 */

type Act =
  | { do: "send"; from: number; attention: Attention }
  | { do: "take" | "respond" | "end" | "exit" | "read" | "wait" };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("send" as const),
      from: fc.integer({ min: 0, max: 1 }),
      attention: fc.constantFrom<Attention>("queue", "queue", "interrupt", "fyi"),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("take", "take", "respond", "end", "end", "exit", "read", "wait" as const),
    }),
  },
);

test("nothing overtakes and nothing is lost, whatever the agent does", { timeout: 300_000 }, async () => {
  await checkAsyncProperty(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 40 }), async (acts) => {
      const hub = await openHostedHub();
      const { id: bob } = await hub.spawn({ name: "bob" });
      const senders = [await hub.register("ann"), await hub.register("carol")];
      const sent: { id: string; from: number }[] = [];
      /** In the order in which the agent first had them: from a prompt, or by reading. */
      const had: string[] = [];
      const has = (text: string) => {
        for (const [, n = ""] of text.matchAll(/#(\d+)#/g)) if (!had.includes(n)) had.push(n);
      };
      let seenTurns = 0;
      const note = () => {
        const turns = hub.runtime.agents.flatMap((agent) => agent.turns);
        for (const turn of turns.slice(seenTurns)) {
          // What it was interrupted at is named before its mail, and is not its mail.
          has(turn.prompt.text.replace(/^\(Huddle: you were.*$/m, ""));
        }
        seenTurns = turns.length;
      };

      for (const one of acts) {
        const turn = hub.runtime.agents.at(-1)?.turns.at(-1);
        switch (one.do) {
          case "send": {
            const n = sent.length;
            const from = senders[one.from] ?? "";
            const { messageId } = await hub.send(from, bob, `#${n}#`, { attention: one.attention });
            sent.push({ id: messageId, from: one.from });
            break;
          }
          case "take":
          case "respond":
          case "end":
            turn?.[one.do]();
            break;
          case "exit":
            if (["idle", "offering", "busy"].includes(hub.state(bob) ?? ""))
              hub.runtime.agents.at(-1)?.exit();
            break;
          case "read":
            note();
            if (hub.state(bob) !== undefined) has((await hub.inbox(bob)).join());
            break;
          case "wait":
            hub.clock.advance(70_000);
            hub.timers.advance(30_000);
        }
        await hub.settled();
        await hub.settled();
        note();
      }
      hub.runtime.obey = "answer";
      for (let i = 0; i < 8; i++) {
        hub.runtime.agents.at(-1)?.turns.at(-1)?.take();
        hub.runtime.agents.at(-1)?.turns.at(-1)?.end();
        hub.clock.advance(70_000);
        hub.timers.advance(60_100);
        await hub.settled();
        await hub.settled();
        note();
      }

      for (const from of [0, 1]) {
        const order = had.map(Number).filter((n) => sent[n]?.from === from);
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      }
      for (const [n, { id }] of sent.entries()) {
        const { state } = hub.receipt(id);
        expect(deliveryStates).toContain(state);
        // It came to an end that its sender can see, or it is still in the inbox; and what ended well was had.
        if (state === "finished" || state === "seen") expect(had, `#${n}# is ${state}`).toContain(String(n));
      }
      // What asks for a turn does not lie around at an agent that is free.
      if (hub.state(bob) === "idle") {
        const waiting = sent.filter(({ id }) => hub.receipt(id).state === "accepted");
        for (const { id } of waiting) {
          const [stored] = hub.views.messages.byId(id);
          expect(stored?.data.message.attention).toBe("fyi");
        }
      }
      expect(hub.errors).toEqual([]);
      await hub.hosting.end("now");
      await hub.close();
    }),
    { runs: 40 },
  );
});

test("what is behind a message that waits for the person starts no turn, and comes after it", async () => {
  const hub = await openHostedHub({
    limits: { conversation: { hops: 0, messages: 1e9, causeMs: 60_000, unattended: 1e9 } },
  });
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  const { messageId } = await hub.send(bob, ann, "begin");
  await hub.read(ann);
  await hub.send(ann, bob, "first", { replyTo: messageId });
  hub.clock.advance(61_000);

  const second = await hub.send(ann, bob, "second", { attention: "interrupt" });
  expect(second).toMatchObject({ state: "held", reason: "budget" });
  await hub.settled();
  expect(hub.state(bob)).toBe("idle");

  const [paused] = hub.views.conversations.withState("paused", 1);
  await hub.execute("decideConversation", { conversation: paused?.id ?? "", decision: "continue" });
  const turns = () => hub.runtime.agents.flatMap((agent) => agent.turns);
  await hub.until(() => turns().length === 1);
  expect(turns()[0]?.prompt.text).toMatch(/first.*second/s);
});
