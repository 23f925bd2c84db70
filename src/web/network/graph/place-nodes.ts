/*
 * Where agents stand in the graph. Whoever has a place keeps it, however the messages flow: only the first look lays all out,
 * row by row away from where the mail comes from. Whoever comes later gets a free place near the first one that it writes with.
 */

/** The middle of a node. */
export type Point = { x: number; y: number };
export type Places = ReadonlyMap<string, Point>;
type Link = { from: string; to: string };

const COLUMN = 186;
const ROW = 130;
/** Closer than this, two nodes would touch. */
const NEAR = { x: 150, y: 64 };
/** Rows of as many are shifted, so that no line goes straight through the node between. */
const SHIFT = 34;

export function placeNodes(
  names: readonly string[],
  links: readonly Link[],
  before: Places,
  width: number,
  first?: string,
): Places {
  const missing = names.filter((name) => !before.has(name));
  if (missing.length === 0) return before;
  if (missing.length === names.length) return layOut(names, links, width, first);
  const places = new Map(before);
  for (const name of missing) places.set(name, findRoom(name, links, places, width));
  return places;
}

function layOut(
  names: readonly string[],
  links: readonly Link[],
  width: number,
  first: string | undefined,
): Places {
  // Of very many, wider than high is better than a tower: it is shown smaller then.
  const columns = Math.max(2, Math.floor(width / COLUMN), Math.round(Math.sqrt(names.length * 0.55)));
  const rows = sortRows(rankNodes(names, links, first), links).flatMap((rank) => chunk(rank, columns));
  const places = new Map<string, Point>();
  let before = 0;
  rows.forEach((row, y) => {
    const spacing = Math.max(COLUMN, Math.min(width / row.length, COLUMN * 1.3));
    const shift = row.length === before ? SHIFT * (y % 2 === 0 ? -1 : 1) : 0;
    before = row.length;
    row.forEach((name, at) => {
      const x = width / 2 + (at - (row.length - 1) / 2) * spacing + shift;
      places.set(name, { x, y: (y + 0.5) * ROW });
    });
  });
  return places;
}

/** Who is how many steps of mail away from where it begins: a row for each number, in no order. */
function rankNodes(names: readonly string[], links: readonly Link[], first: string | undefined): string[][] {
  const writesTo = new Map<string, string[]>();
  for (const { from, to } of links) writesTo.set(from, [...(writesTo.get(from) ?? []), to]);
  const weight = (name: string) =>
    name === first ? Number.POSITIVE_INFINITY : (writesTo.get(name)?.length ?? 0);
  const known = new Set(names);
  const ranks = new Map<string, number>();
  const walk = (start: string, rank: number) => {
    const next = [start];
    ranks.set(start, rank);
    for (const name of next)
      for (const to of writesTo.get(name) ?? []) {
        if (!known.has(to) || ranks.has(to)) continue;
        ranks.set(to, (ranks.get(name) ?? 0) + 1);
        next.push(to);
      }
  };
  for (const name of [...names].sort((a, b) => weight(b) - weight(a) || (a < b ? -1 : 1))) {
    if (ranks.has(name)) continue;
    // One that nobody writes to stands before those whom it writes to.
    const after = (writesTo.get(name) ?? []).flatMap((to) => ranks.get(to) ?? []);
    walk(name, after.length === 0 ? 0 : Math.max(0, Math.min(...after) - 1));
  }
  const rows: string[][] = [];
  for (const [name, rank] of ranks) rows[rank] = [...(rows[rank] ?? []), name];
  return rows.filter((row) => row !== undefined);
}

/** Each row in the order of the middle of those before it that they write with, so that few lines cross. */
function sortRows(rows: readonly string[][], links: readonly Link[]): string[][] {
  const withs = new Map<string, string[]>();
  for (const { from, to } of links) {
    withs.set(from, [...(withs.get(from) ?? []), to]);
    withs.set(to, [...(withs.get(to) ?? []), from]);
  }
  const column = new Map<string, number>();
  return rows.map((row) => {
    const middle = (name: string) => {
      const known = (withs.get(name) ?? []).flatMap((other) => column.get(other) ?? []);
      return known.length === 0 ? 0.5 : known.reduce((sum, at) => sum + at, 0) / known.length;
    };
    const sorted = row
      .map((name) => ({ name, at: middle(name) }))
      .sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
      .map(({ name }) => name);
    for (const [at, name] of sorted.entries()) column.set(name, (at + 0.5) / sorted.length);
    return sorted;
  });
}

function chunk(row: readonly string[], size: number): string[][] {
  const parts = Math.ceil(row.length / size);
  const each = Math.ceil(row.length / parts);
  return Array.from({ length: parts }, (_, at) => row.slice(at * each, (at + 1) * each));
}

/** The nearest free place to somebody that it writes with; without one, below all. */
function findRoom(name: string, links: readonly Link[], places: Places, width: number): Point {
  const other = links.flatMap(({ from, to }) => (from === name ? [to] : to === name ? [from] : []));
  const beside = other.map((one) => places.get(one)).find((place) => place !== undefined);
  const lowest = Math.max(0, ...[...places.values()].map(({ y }) => y));
  const from = beside ?? { x: width / 2, y: lowest + ROW };
  const free = (point: Point) =>
    ![...places.values()].some(
      ({ x, y }) => Math.abs(x - point.x) < NEAR.x && Math.abs(y - point.y) < NEAR.y,
    );
  const tried: Point[] = [];
  for (let dy = 0; dy <= 8; dy++)
    for (const dx of [0, 1, -1, 2, -2, 3, -3]) tried.push({ x: from.x + dx * COLUMN, y: from.y + dy * ROW });
  const inside = tried.filter(({ x }) => x >= NEAR.x / 2 && x <= Math.max(width, COLUMN * 2) - NEAR.x / 2);
  const distance = (point: Point) => Math.hypot(point.x - from.x, point.y - from.y);
  return inside.sort((a, b) => distance(a) - distance(b)).find(free) ?? { x: from.x, y: lowest + ROW };
}
