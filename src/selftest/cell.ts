/*
 * The grid of the self-test: what is expected of a vendor's CLI that a hub runs, under each runtime. Behaviours are tried in this order, in
 * one session of the agent.
 */

export const behaviours = {
  spawn: "starts",
  receive: "gets a message while it is idle, once, with its sender",
  tool: "uses Huddle's tools to answer, and nobody is asked about them",
  queue: "gets what came while it was busy, in the order in which it came",
  permission: "asks before it acts, and does as it is told",
  interrupt: "is interrupted in the middle of its answer, and remembers what was asked",
  resume: "goes on with its session after a restart of the hub",
  kill: "is killed in the middle of a turn, and nothing of it is left",
} as const;

export type Behaviour = keyof typeof behaviours;

export const behaviourNames = [
  "spawn",
  "receive",
  "tool",
  "queue",
  "permission",
  "interrupt",
  "resume",
  "kill",
] as const satisfies readonly Behaviour[];

/**
 * What one behaviour came to. `blocked`: it could not be tried, since the CLI asked the person something or did not use the scripted
 * model; that says nothing about how it does in the person's own set-up. `cannot`: the vendor has no way to do it.
 */
export type Cell =
  | { kind: "works"; ms: number }
  /** With a second agent; the reason is that of the first. */
  | { kind: "retried"; ms: number; reason: string }
  | { kind: "fails"; ms: number; reason: string; fix: string }
  | { kind: "blocked"; ms: number; reason: string; fix: string }
  | { kind: "cannot"; reason: string }
  | { kind: "not_run"; reason: string };

export const signs = {
  works: "✓",
  retried: "↻",
  fails: "✗",
  blocked: "?",
  cannot: "–",
  not_run: "·",
} as const;

/** Why a behaviour does not work, as it is told to the person. */
export class CellFailure extends Error {
  readonly kind: "fails" | "blocked";
  readonly fix: string | undefined;
  constructor(kind: CellFailure["kind"], reason: string, fix?: string) {
    super(reason);
    this.kind = kind;
    this.fix = fix;
  }
}
