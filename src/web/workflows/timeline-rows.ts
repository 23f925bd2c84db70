import { sayElapsed, toMs } from "../parts/time.js";
import { lookOf, type Step, type StepTone, stepLooks } from "./step-look.js";

/** `asked` and `waiting`: for the person; `queued`: its agent is busy with something else. */
export type SegmentKind = "asked" | "queued" | "running" | "waiting" | "done" | "failed" | "ended";

type Segment = { kind: SegmentKind; from: number; to: number };

export type TimelineRow = {
  name: string;
  segments: readonly Segment[];
  /** Beside its end, or where it would be. */
  label: string;
  /** Where there is little room. */
  short: string;
  tone: StepTone;
};

/** What a step did when. Times are milliseconds since 1970; `now` is where those end that go on. */
export function timelineRow(step: Step, now: number): TimelineRow {
  const segments = segmentsOf(step, now);
  return { name: step.name, segments, ...labelOf(step, segments, now) };
}

function segmentsOf(step: Step, now: number): Segment[] {
  const { asked, assigned, began, started, ended, waiting_since } = step;
  if (started === null) return [];
  const end = ended === null ? now : toMs(ended);
  const given = assigned === null ? end : toMs(assigned);
  const begun = began === null ? end : toMs(began);
  // The person who lets it through takes time that is not the agent's.
  const waits = waiting_since === undefined || assigned === null ? end : toMs(waiting_since);
  const all: Segment[] = [
    ...(asked === null ? [] : [{ kind: "asked" as const, from: toMs(asked), to: Math.min(given, end) }]),
    ...(assigned === null ? [] : [{ kind: "queued" as const, from: given, to: Math.min(begun, end) }]),
    ...(began === null ? [] : [{ kind: workKind(step), from: begun, to: Math.min(waits, end) }]),
    ...(waits < end ? [{ kind: "waiting" as const, from: Math.max(waits, given), to: end }] : []),
  ];
  return all.filter(({ from, to }) => to > from);
}

function workKind({ status }: Step): SegmentKind {
  switch (status) {
    case "done":
    case "failed":
      return status;
    case "running":
    case "waiting":
      return "running";
    default:
      return "ended";
  }
}

type Label = Pick<TimelineRow, "label" | "short" | "tone">;

function labelOf(step: Step, segments: readonly Segment[], now: number): Label {
  const { word, tone } = stepLooks[lookOf(step)];
  const [first] = segments;
  if (first === undefined || step.started === null) return { label: word, short: word, tone };
  const took = sayElapsed((step.ended === null ? now : toMs(step.ended)) - toMs(step.started));
  if (step.status === "done") return { label: took, short: took, tone: "dim" };
  if (step.status === "waiting" && step.waiting_since !== undefined) {
    const waits = sayElapsed(now - toMs(step.waiting_since));
    return { label: `${word} ${waits}`, short: `you ${waits}`, tone };
  }
  return { label: `${word} ${took}`, short: `${word} ${took}`, tone };
}
