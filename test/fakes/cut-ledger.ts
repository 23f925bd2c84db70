import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RuntimeKind } from "../../src/model/hosting.js";
import type { CutState } from "./cut-turns.js";
import type { Member } from "./member.js";

/*
 * What was sent to agents whose hub was killed, kept outside of it, and what must have become of it:
 *
 *   an end       every accepted message is finished or failed, and one that failed came back as a bounce
 *   evidence     what is finished was ended by the agent: its own log has the turn, also where it fetched the message in it
 *                (`seen` by the turn's end); or it was interrupted
 *   every step   the receipt says when the turn was cut, and that the message was handed out again
 */

type Step = { state: string; reason?: string; stop?: string; attempt?: number; evidence?: string };
type Delivery = { state: string; steps: Step[] };
type Sent = { id: string; words: string };
export type CutRow = { runtime: RuntimeKind; state: CutState; words: string; way: string; evidence: string };

type CutRound = {
  sent(id: string, words: string): void;
  isOver(member: Member): Promise<boolean>;
  judge(member: Member): Promise<void>;
  describe(member: Member): Promise<string>;
  violation(what: string): void;
};

export type CutLedger = {
  round(state: CutState): CutRound;
  violations(): readonly string[];
  /** One for each message. */
  rows(): readonly CutRow[];
  table(): string;
  /** Those in which mail was judged. */
  states(): ReadonlySet<CutState>;
};

export function createCutLedger(kind: RuntimeKind, agentHome: string): CutLedger {
  const rows: CutRow[] = [];
  const wrong: string[] = [];

  function round(state: CutState): CutRound {
    const messages: Sent[] = [];
    const violation = (what: string) => void wrong.push(`${kind}, ${state}: ${what}`);

    async function judgeOne(member: Member, { id, words }: Sent, bounced: string) {
      const { state: end, steps } = await deliveryOf(member, id);
      const last = steps.findLast((step) => step.state === end);
      const way = steps.map(shortly).join(" ");
      const isEnded = endedTurns(agentHome).some(
        (text) => text.includes(words) || text.includes(id.slice(-8)),
      );
      const wasCut = steps.some(({ reason }) => reason === "hub_restart");
      let evidence = "none";
      const isThrough = last?.stop === "end_turn" || last?.evidence === "turn_end";
      if (isThrough && isEnded) evidence = "the agent ended its turn";
      else if (end === "finished" && last?.stop === "cancelled" && state === "cancelling") {
        evidence = "it was interrupted";
      } else if (end === "failed" && bounced.includes(id)) evidence = "its sender was told";
      else violation(`${words} is ${end}[${last?.stop ?? last?.reason}] without evidence: ${way}`);
      const offers = steps.filter((step) => step.state === "offered").length;
      if (wasCut && end === "finished" && offers < 2)
        violation(`${words} was cut and not handed out again: ${way}`);
      rows.push({ runtime: kind, state, words: words.replaceAll(/\/\S+/g, "…"), way, evidence });
    }

    return {
      sent: (id, words) => void messages.push({ id, words }),
      async isOver(member) {
        const all = await Promise.all(messages.map(({ id }) => deliveryOf(member, id)));
        return all.every(isEnd);
      },
      async judge(member) {
        const bounced = (await member.inbox()).map(({ content }) => content).join("\n");
        for (const message of messages) await judgeOne(member, message, bounced);
      },
      async describe(member) {
        const all = await Promise.all(messages.map(({ id }) => deliveryOf(member, id)));
        return all.map(({ steps }) => steps.map(shortly).join(" ")).join(" | ");
      },
      violation,
    };
  }

  return {
    round,
    violations: () => wrong,
    rows: () => rows,
    states: () => new Set(rows.map(({ state }) => state)),
    table() {
      const width = (pick: (row: CutRow) => string) => Math.max(...rows.map((row) => pick(row).length));
      const columns = [
        ({ state }: CutRow) => state,
        ({ words }: CutRow) => words,
        ({ evidence }: CutRow) => evidence,
      ];
      return rows
        .map((row) =>
          [kind.padEnd(8), ...columns.map((pick) => pick(row).padEnd(width(pick))), row.way].join("  "),
        )
        .join("\n");
    },
  };
}

async function deliveryOf(member: Member, id: string): Promise<Delivery> {
  const { json } = await member.receipt(id);
  const [delivery] = (json["deliveries"] ?? []) as Delivery[];
  if (delivery === undefined) throw new Error(`no receipt of ${id}`);
  return delivery;
}

/** What an agent fetched itself is not carried by its turn. */
function isEnd({ state, steps }: Delivery): boolean {
  const isRead = state === "seen" && steps.at(-1)?.evidence === "turn_end";
  return isRead || state === "finished" || state === "failed" || state === "expired";
}

function shortly({ state, reason, stop }: Step): string {
  return (reason ?? stop) === undefined ? state : `${state}[${reason ?? stop}]`;
}

/** The prompts of the turns that the agents came to the end of, in their own words. */
function endedTurns(agentHome: string): string[] {
  const file = join(agentHome, "ended");
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => String(JSON.parse(line)));
}
