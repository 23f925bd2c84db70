import { labelWidth, renderHead, renderRow } from "../../src/selftest/render-grid.js";

/*
 * The grid of what is expected of a vendor's CLI that the hub runs: eight behaviours under each of three runtimes. The tests of
 * `hosted.test.ts` has these titles, and `grid-reporter.ts` prints how they went, one cell each.
 */

export const behaviours = {
  wakes: "gets a message while it is idle, works in another folder, and answers by a tool",
  tools: "uses Huddle's tools, and nobody is asked about them",
  queues: "gets what came while it was busy in the order in which it came",
  asks: "asks before it acts, and does as it is told",
  interrupts: "is interrupted in the middle of its answer, and remembers what was asked",
  resumes: "goes on with its session after a restart of the hub",
  "kill -9": "finishes what it was at when the hub was killed",
  ends: "is killed in the middle of a turn, and nothing of it is left; no secret was in sight",
} as const;
export type Behaviour = keyof typeof behaviours;

/** The title of a cell that cannot be: its test shows the vendor's own evidence, which is its name behind this. */
export const cannotTitle = (behaviour: Behaviour, evidence: string): string =>
  `cannot: ${behaviour}: ${evidence}`;

export type Cell =
  | { kind: "works" }
  | { kind: "retried" }
  | { kind: "fails" }
  | { kind: "cannot"; evidence: string };

/** What the cell of a test says; nothing for tests outside of the grid. */
export function readCell(
  title: string,
  outcome: { passed: boolean; retried: boolean },
): { behaviour: Behaviour; cell: Cell } | undefined {
  for (const [name, expected] of Object.entries(behaviours)) {
    const behaviour = name as Behaviour;
    const prefix = cannotTitle(behaviour, "");
    if (title !== expected && !title.startsWith(prefix)) continue;
    if (!outcome.passed) return { behaviour, cell: { kind: "fails" } };
    if (title !== expected)
      return { behaviour, cell: { kind: "cannot", evidence: title.slice(prefix.length) } };
    return { behaviour, cell: { kind: outcome.retried ? "retried" : "works" } };
  }
  return undefined;
}

type Place = { client: string; runtime: string; behaviour: Behaviour };

export type Grid = {
  set(place: Place, cell: Cell): void;
  /** A row for each client and runtime; below it what is not green, with its reason. */
  render(): string;
};

const signs = { works: "✓", retried: "↻", fails: "✗", cannot: "–" } as const;

export function createGrid(): Grid {
  const rows = new Map<string, Map<Behaviour, Cell>>();
  const names = Object.keys(behaviours) as Behaviour[];
  return {
    set({ client, runtime, behaviour }, cell) {
      const key = `${client} ${runtime}`;
      const row = rows.get(key) ?? new Map<Behaviour, Cell>();
      rows.set(key, row.set(behaviour, cell));
    },
    render() {
      const width = labelWidth(rows.keys());
      const lines = [...rows].map(([label, row]) =>
        renderRow({ label, signs: names.map((name) => signOf(row.get(name))) }, names, width),
      );
      const all = [...rows].flatMap(([key, row]) => [...row].map(([name, cell]) => ({ key, name, cell })));
      const notes = all.flatMap(({ key, name, cell }) =>
        cell.kind === "cannot" ? [`– ${key}, ${name}: ${cell.evidence}`] : [],
      );
      const green = all.filter(({ cell }) => cell.kind === "works" || cell.kind === "retried").length;
      const cannot = notes.length === 0 ? "" : `, ${notes.length} cannot be`;
      const sum = `${green} of ${rows.size * names.length} cells work${cannot}. ✓ works  ↻ second try  ✗ fails  – cannot be  · not run`;
      return [renderHead(names, width), ...lines, ...notes, sum].join("\n");
    },
  };
}

function signOf(cell: Cell | undefined): string {
  return cell === undefined ? "·" : signs[cell.kind];
}
