// Takes out of the contracts what only documents need: `.describe("…")` of schemas and `summary` of routes. The desk decodes by
// them and shows none of it, and it is a tenth of what a browser would have to load of them.

/** @typedef {{ type: string, start: number, end: number } & Record<string, unknown>} Node */

/** @returns {import("vite").Plugin} */
export function withoutProse() {
  return {
    name: "without-prose",
    transform(code, id) {
      if (!/\/src\/contract\/.*\.ts$/.test(id)) return null;
      /** @type {{ start: number, end: number, by: string }[]} */
      const cuts = [];
      findProse(this.parse(code), cuts);
      // From the end on, so that places before it stay where they are.
      const cut = cuts
        .sort((a, b) => b.start - a.start)
        .reduce((text, { start, end, by }) => text.slice(0, start) + by + text.slice(end), code);
      return { code: cut, map: null };
    },
  };
}

/** @param {unknown} node @param {{ start: number, end: number, by: string }[]} cuts */
function findProse(node, cuts) {
  if (Array.isArray(node)) {
    for (const one of node) findProse(one, cuts);
    return;
  }
  if (!isNode(node)) return;
  const { callee, key, value } = node;
  if (node.type === "CallExpression" && isNode(callee) && callee.type === "MemberExpression") {
    const { object, property } = callee;
    // What stands before it may hold another one, and is looked at below; its argument is only words.
    if (isNode(property) && property["name"] === "describe" && isNode(object)) {
      cuts.push({ start: object.end, end: node.end, by: "" });
      return findProse(object, cuts);
    }
  }
  if (node.type === "Property" && isNode(key) && key["name"] === "summary" && isNode(value)) {
    cuts.push({ start: value.start, end: value.end, by: '""' });
    return;
  }
  for (const child of Object.values(node)) findProse(child, cuts);
}

/** @param {unknown} value @returns {value is Node} */
function isNode(value) {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
