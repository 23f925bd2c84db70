import type { LiveChange, LivePlace } from "../../model/live-turn.js";
import type { TurnPlan, TurnTool, TurnUsage, TurnWork } from "../../model/turn.js";
import type { OutputPart } from "../../runtime/runtime.js";
import { createTextWindow } from "./text-window.js";

/** Gathers what an agent says and does in a turn, as far as it is worth keeping: for those who look, and for the journal. */
export type TurnLog = {
  add(part: OutputPart): void;
  /** At most so many changes after a place: what it thought, what it said, then the rest as it came. */
  since(place: LivePlace, most: number): { changes: LiveChange[]; place: LivePlace };
  /** All of it. `text` is the end of what it said, `length` how long that is in all. */
  read(): { text: string; length: number; work: TurnWork };
};

const TEXT_MOST = 128 * 1024;
const THOUGHTS_MOST = 64 * 1024;
const TOOLS_MOST = 500;
const PLAN_MOST = 50;
const WORDS_MOST = 200;

type Tool = TurnTool & { offset: number; since: number; change: number };

/** `now` is hub time. */
export function createTurnLog(now: () => number): TurnLog {
  const text = createTextWindow(TEXT_MOST);
  const thoughts = createTextWindow(THOUGHTS_MOST);
  const tools = new Map<string, Tool>();
  let plan: { entries: TurnPlan; change: number } | undefined;
  let usage: { usage: TurnUsage; change: number } | undefined;
  let change = 0;
  let toolsLost = 0;

  function addTool({ id, title, act, status }: Extract<OutputPart, { kind: "tool" }>) {
    const before = tools.get(id);
    const known = before ?? { offset: text.length(), since: now() };
    const isOver = before?.ms !== undefined;
    const ended = status === "done" || status === "failed";
    tools.set(id, {
      title: short(title),
      status,
      ...(act === undefined ? {} : { act: short(act) }),
      offset: known.offset,
      since: known.since,
      ...(isOver ? { ms: before.ms } : ended ? { ms: Math.round(now() - known.since) } : {}),
      change: ++change,
    });
    // The newest say most.
    const [oldest] = tools.keys();
    if (tools.size <= TOOLS_MOST || oldest === undefined) return;
    tools.delete(oldest);
    toolsLost++;
  }

  /** What replaces what was told before, in the order in which it changed. */
  function replaced(after: number): { change: number; as: LiveChange }[] {
    if (change <= after) return [];
    const found: { change: number; as: LiveChange }[] = [];
    for (const [id, tool] of tools) {
      if (tool.change <= after) continue;
      const { since, change: at, ms = Math.round(now() - since), ...shown } = tool;
      found.push({ change: at, as: { kind: "tool", id, ...shown, ms } });
    }
    if (plan !== undefined && plan.change > after) {
      found.push({ change: plan.change, as: { kind: "plan", entries: plan.entries } });
    }
    if (usage !== undefined && usage.change > after) {
      found.push({ change: usage.change, as: { kind: "usage", usage: usage.usage } });
    }
    return found.sort((a, b) => a.change - b.change);
  }

  return {
    add(part) {
      if (part.kind === "text") text.add(part.text);
      else if (part.kind === "thought") thoughts.add(part.text);
      else if (part.kind === "tool") addTool(part);
      else if (part.kind === "plan") {
        const entries = part.entries
          .slice(0, PLAN_MOST)
          .map((entry) => ({ text: short(entry.text), status: short(entry.status) }));
        plan = { entries, change: ++change };
      } else usage = { usage: part.usage, change: ++change };
    },
    since(place, most) {
      const changes: LiveChange[] = [];
      const next = { ...place };
      if (thoughts.length() > place.thought && changes.length < most) {
        changes.push({ kind: "thought", ...thoughts.since(place.thought) });
        next.thought = thoughts.length();
      }
      if (text.length() > place.text && changes.length < most) {
        changes.push({ kind: "text", ...text.since(place.text) });
        next.text = text.length();
      }
      for (const { change: at, as } of replaced(place.change)) {
        if (changes.length >= most) break;
        changes.push(as);
        next.change = at;
      }
      return { changes, place: next };
    },
    read() {
      const thought = thoughts.since(0);
      const said = text.since(0);
      const cut = {
        ...(said.offset === 0 ? {} : { text: said.offset }),
        ...(thought.offset === 0 ? {} : { thoughts: thought.offset }),
        ...(toolsLost === 0 ? {} : { tools: toolsLost }),
      };
      const calls = [...tools.values()].map(({ title, status, act, offset, since, ms }) => ({
        title,
        status,
        ...(act === undefined ? {} : { act }),
        offset,
        // Nobody saw it end: it ran until now.
        ms: ms ?? Math.round(now() - since),
      }));
      return {
        text: said.text,
        length: text.length(),
        work: {
          ...(thought.text === "" ? {} : { thoughts: thought.text }),
          ...(calls.length === 0 ? {} : { tools: calls }),
          ...(plan === undefined || plan.entries.length === 0 ? {} : { plan: plan.entries }),
          ...(Object.keys(cut).length === 0 ? {} : { cut }),
        },
      };
    },
  };
}

function short(text: string): string {
  return text.length <= WORDS_MOST ? text : `${text.slice(0, WORDS_MOST - 1)}…`;
}
