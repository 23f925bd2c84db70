import { keepEnd, type TurnWork } from "../model/turn.js";
import type { OutputPart } from "../runtime/runtime.js";

/** Gathers what an agent does in a turn besides talking, as far as it is worth keeping. */
export type WorkLog = { add(part: OutputPart): void; read(): TurnWork };

const THOUGHTS_MOST = 8192;
const TOOLS_MOST = 100;
const PLAN_MOST = 50;
const WORDS_MOST = 200;

export function createWorkLog(): WorkLog {
  let thoughts = "";
  let plan: NonNullable<TurnWork["plan"]> = [];
  const tools = new Map<string, { title: string; status: "pending" | "running" | "done" | "failed" }>();

  return {
    add(part) {
      if (part.kind === "thought") thoughts = keepEnd(thoughts + part.text, THOUGHTS_MOST);
      if (part.kind === "plan") {
        plan = part.entries.slice(0, PLAN_MOST).map(({ text, status }) => ({ text: short(text), status }));
      }
      if (part.kind !== "tool") return;
      tools.set(part.id, { title: short(part.title), status: part.status });
      // The newest say most.
      const [oldest] = tools.keys();
      if (tools.size > TOOLS_MOST && oldest !== undefined) tools.delete(oldest);
    },
    read: () => ({
      ...(thoughts === "" ? {} : { thoughts }),
      ...(tools.size === 0 ? {} : { tools: [...tools.values()] }),
      ...(plan.length === 0 ? {} : { plan }),
    }),
  };
}

function short(text: string): string {
  return text.length <= WORDS_MOST ? text : `${text.slice(0, WORDS_MOST - 1)}…`;
}
