import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { Ack, Batch } from "../../src/model/link.js";
import { carryAll, carryOnce, type LinkedHub, openLinkedHubs } from "./linked-hubs.js";
import { tempFolder } from "./temp-folder.js";
import { openTestHub } from "./test-hub.js";

/*
 * Two hubs and a wire between them that may lose, repeat and reorder, of which one may be put back to a copy of itself. Each has
 * two agents, and every message has a number of its own: what a hub says that it sent can be held against what the other has.
 */

export type Side = "bmo" | "r2d2";

export type Act =
  | { do: "send"; side: Side; from: number; to: number; count: number }
  /** A batch and its ack, past all that is under way. */
  | { do: "carry"; side: Side }
  | { do: "pump"; side: Side }
  | { do: "deliver"; at: number; again: boolean }
  | { do: "lose"; at: number }
  | { do: "read"; side: Side; agent: number }
  | { do: "copy" }
  | { do: "restore" };

type Flying = { to: Side } & ({ batch: Batch } | { ack: Ack });

const otherOf = (side: Side): Side => (side === "bmo" ? "r2d2" : "bmo");

export async function openLossyLink(victim: Side) {
  const opened = await openLinkedHubs();
  const hubs: Record<Side, LinkedHub> = opened;
  const agents: Record<Side, string[]> = { bmo: [], r2d2: [] };
  for (const side of ["bmo", "r2d2"] as const)
    for (const name of ["ann", "bob"]) agents[side].push(await hubs[side].hub.register(name));
  let flying: Flying[] = [];
  let copy: string | undefined;
  let sent = 0;

  async function arrive(one: Flying): Promise<void> {
    const { hub, other } = hubs[one.to];
    if ("ack" in one) return hub.execute("acknowledgeFrames", { peer: other, ack: one.ack });
    const ack = await hub.execute("receiveFrames", { peer: other, batch: one.batch });
    flying.push({ to: otherOf(one.to), ack });
  }

  async function perform(act: Act): Promise<void> {
    switch (act.do) {
      case "send": {
        const name = ["ann", "bob"][act.to % 2];
        const from = agents[act.side][act.from % 2] ?? "";
        for (let n = 0; n < act.count; n++)
          await hubs[act.side].hub.sendTo(from, `${name}@${hubs[act.side].other}`, `${++sent}`);
        return;
      }
      case "carry":
        await carryOnce(hubs[act.side], hubs[otherOf(act.side)]);
        return;
      case "pump": {
        const { hub, other } = hubs[act.side];
        const batch = await hub.execute("numberFrames", { peer: other });
        if (batch !== undefined)
          flying.push({ to: otherOf(act.side), batch: JSON.parse(JSON.stringify(batch)) as Batch });
        return;
      }
      case "deliver": {
        const one = flying[act.at % Math.max(1, flying.length)];
        if (one === undefined) return;
        if (!act.again) flying = flying.filter((other) => other !== one);
        return arrive(one);
      }
      case "lose": {
        const at = act.at % Math.max(1, flying.length);
        flying = flying.filter((_, i) => i !== at);
        return;
      }
      case "read": {
        const agent = agents[act.side][act.agent % 2] ?? "";
        const { messages } = await hubs[act.side].hub.read(agent);
        if (messages.length > 0)
          await hubs[act.side].hub.ack(agent, ...messages.map(({ message }) => message.id));
        return;
      }
      case "copy":
        copy = join(tempFolder(), "copy.db");
        return hubs[victim].hub.backUp(copy).then(() => {});
      case "restore": {
        if (copy === undefined) return;
        const { hub, other } = hubs[victim];
        await hub.close();
        const file = join(tempFolder(), "huddle.db");
        copyFileSync(copy, file);
        hubs[victim] = { hub: openTestHub({ file, clock: hub.clock }), other };
        return;
      }
    }
  }

  return {
    perform,
    /** What is under way arrives, and then nothing is lost any more. What is missing is noticed with the next message. */
    async heal(): Promise<void> {
      while (flying.length > 0) await perform({ do: "deliver", at: 0, again: false });
      for (const side of ["bmo", "r2d2"] as const)
        await perform({ do: "send", side, from: 0, to: 0, count: 1 });
      await carryAll(hubs.bmo, hubs.r2d2);
    },
    /** What a hub says that it sent to the other, by number, with the state that it knows. */
    sentBy(side: Side): { n: number; state: string }[] {
      const { hub } = hubs[side];
      return accepted(hub).flatMap(({ seq, data: { message } }) => {
        const to = message.to[0]?.agent ?? "";
        if (message.trust !== "local" || hub.views.peers.agent(to) === undefined) return [];
        return [{ n: Number(message.content), state: hub.views.inbox.get(seq, to)?.state ?? "unknown" }];
      });
    },
    /** What came to a hub from the other, in order. */
    receivedBy: (side: Side) =>
      accepted(hubs[side].hub).flatMap(({ data: { message } }) =>
        message.trust === "peer"
          ? [{ n: Number(message.content), pair: `${message.fromName} ${message.toName}` }]
          : [],
      ),
    gapsOf: (side: Side) =>
      hubs[side].hub.events
        .pageAfter(0, 100_000)
        .flatMap((event) => (event.type === "LinkGap" ? [event.data.to - event.data.from + 1] : [])),
    close: () => Promise.all([hubs.bmo.hub.close(), hubs.r2d2.hub.close()]),
  };
}

function accepted({ events }: LinkedHub["hub"]) {
  return events.pageAfter(0, 100_000).flatMap((event) => (event.type === "MessageAccepted" ? [event] : []));
}
