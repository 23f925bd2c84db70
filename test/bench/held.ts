import { hashToken } from "../../src/hub/rules/credentials.js";
import { type BenchJournal, openBenchJournal } from "./open-bench-journal.js";
import type { Measurement } from "./row.js";
import { summarize, takeTurns } from "./statistics.js";

const HELD = 50_000;
const AGENTS = 50;
const content = "x".repeat(200);
/** Of a round: what they leave behind is next to nothing beside the many. */
const SENDS = 200;

/** What waits for the person must not slow what is sent after it. Both hubs hold each message; one has many of them. */
export const held: Measurement = {
  name: "held",
  async run(lab) {
    const few = await openHolding(lab.folder());
    const many = await openHolding(lab.folder());
    lab.onClose(few.journal.close);
    lab.onClose(many.journal.close);
    await flood(many);

    const timed = (hub: Hub) => async () => {
      const before = process.cpuUsage();
      await sendAll(hub, SENDS);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / SENDS;
    };
    // The first rounds are slower, of both.
    await takeTurns(5, timed(few), timed(many));
    const pairs = await takeTurns(lab.quick ? 11 : 25, timed(few), timed(many));
    return [
      {
        what: `CPU time of a send while ${HELD.toLocaleString("en")} messages wait for the person`,
        against: "while next to none does",
        unit: "µs",
        ...summarize(pairs),
        limit: { on: "ratio", is: "at most", bound: 1.2 },
      },
    ];
  },
};

type Hub = { journal: BenchJournal; agents: readonly string[] };

/** After one message between agents all others are held. */
async function openHolding(folder: string): Promise<Hub> {
  const journal = openBenchJournal(folder, ["conversation.unattended=1"]);
  const agents = await Promise.all(
    Array.from({ length: AGENTS }, async (_, i) => {
      const credential = hashToken(`agent-${i}`);
      return (await journal.execute("registerAgent", { name: `agent-${i}`, credential })).id;
    }),
  );
  return { journal, agents };
}

/** One agent's, to each of the others in turn. */
async function flood({ journal, agents }: Hub): Promise<void> {
  await Promise.all(
    Array.from({ length: HELD }, (_, i) => {
      const to = `agent-${1 + (i % (AGENTS - 1))}`;
      return journal.execute("sendMessage", { from: agents[0] ?? "", to, content });
    }),
  );
}

async function sendAll({ journal, agents }: Hub, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, i) => {
      // To each of the others in turn.
      const away = 1 + (Math.floor(i / AGENTS) % (AGENTS - 1));
      const to = `agent-${(i + away) % AGENTS}`;
      return journal.execute("sendMessage", { from: agents[i % AGENTS] ?? "", to, content });
    }),
  );
}
