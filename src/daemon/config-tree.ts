/** What a configuration file holds before it is decoded. */
export type ConfigTree = Record<string, unknown>;

export function isTree(value: unknown): value is ConfigTree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function valueAt(tree: unknown, path: readonly string[]): unknown {
  let value = tree;
  for (const name of path) {
    if (!isTree(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** Puts a value at a path, making the trees on the way. What is in the way and no tree stays, to be complained of. */
export function putAt(tree: ConfigTree, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (rest.length === 0) {
    tree[name] = value;
    return;
  }
  const inner = Object.hasOwn(tree, name) ? (tree[name] ?? {}) : {};
  if (!isTree(inner)) return;
  tree[name] = inner;
  putAt(inner, rest, value);
}
