import type { Behaviour, Cell } from "./cell.js";
import { CellFailure } from "./cell.js";

/** Words of a CLI that wants an account, whatever it was given. */
const wantsLogin =
  /\b(log(ged)? ?in|sign(ed)? ?in|login|authenticat\w*|unauthori[sz]ed|api key|credentials?|401)\b/i;

/** What failed, why, and the way out. */
export function explain(
  { backend, runtime }: { backend: string; runtime: string },
  behaviour: Behaviour,
  error: Error,
  ms: number,
): Cell {
  const again = `huddle selftest ${backend} --runtime ${runtime} --behaviour ${behaviour} --verbose`;
  const reason = error.message.trim().replace(/\s+/g, " ");
  const isFirst = behaviour === "spawn" || behaviour === "receive";
  if (isFirst && wantsLogin.test(reason)) {
    const fix = `It was given a scripted model, and wants an account: this version may set its model in another way. That says nothing about your own log-in. To see more: ${again}`;
    return { kind: "blocked", ms, reason, fix };
  }
  const kind = error instanceof CellFailure && error.kind === "blocked" && isFirst ? "blocked" : "fails";
  const first = error instanceof CellFailure && error.fix !== undefined ? `${error.fix}. ` : "";
  return { kind, ms, reason, fix: `${first}To see more: ${again}` };
}
