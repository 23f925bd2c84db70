/** The names that stand behind colons in a route's path. */
export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & PathParams<Rest>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : unknown;

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A route's path with its parameters and query filled in and encoded. */
export function routePath<Path extends string>(
  path: Path,
  params: PathParams<Path>,
  query: Query = {},
): string {
  const given = new Map(Object.entries(params ?? {}));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeSegment(String(given.get(name))));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value));
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}

/** Dots alone would be read as "here" and "above" by whatever normalises the path. */
function encodeSegment(segment: string): string {
  return /^\.{1,2}$/.test(segment) ? segment.replaceAll(".", "%2E") : encodeURIComponent(segment);
}
