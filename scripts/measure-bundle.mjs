// What a browser has to load of the desk, in bytes of gzip, as Vite's manifest tells what needs what.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** @typedef {{ file: string, src?: string, isEntry?: boolean, isDynamicEntry?: boolean, imports?: string[], dynamicImports?: string[] }} Part */
/** @typedef {Record<string, Part>} Manifest */
/** @typedef {{ name: string, bytes: number, limit: number }} Measured */

const KB = 1000;

/** Parts that are loaded when they are needed, by what stands in their path. The first that fits counts. */
const lazy = [
  { name: "terminal", limit: 95 * KB, path: /xterm|terminal/i },
  { name: "flow", limit: 85 * KB, path: /xyflow|dagre|flow|graph/i },
  { name: "highlighter", limit: 60 * KB, path: /shiki|highlight/i },
  // A page, such as the chat with its Markdown.
  { name: "other", limit: 85 * KB, path: /./ },
];
const INITIAL = 225 * KB;

/** @param {string} web the built folder @returns {Measured[]} */
export function measureBundle(web) {
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(join(web, ".vite", "manifest.json"), "utf8"));
  const sizes = new Map();
  /** @param {string} file */
  const sizeOf = (file) => {
    if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(web, file)), { level: 9 }).length);
    return sizes.get(file);
  };
  return measureParts(manifest, sizeOf);
}

/**
 * @param {Manifest} manifest
 * @param {(file: string) => number} sizeOf
 * @returns {Measured[]} first what every page loads, then what each lazy part adds, the largest of its kind
 */
export function measureParts(manifest, sizeOf) {
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry === true);
  const initial = reach(manifest, entries);
  const sum = (/** @type {Iterable<string>} */ keys) =>
    [...keys]
      .map((key) => manifest[key]?.file ?? "")
      .filter((file) => file.endsWith(".js"))
      .reduce((bytes, file) => bytes + sizeOf(file), 0);
  const added = Object.keys(manifest)
    .filter((key) => manifest[key]?.isDynamicEntry === true && !initial.has(key))
    .map((key) => {
      const kind = lazy.find(({ path }) => path.test(key));
      const there = loadedBefore(manifest, key);
      const bytes = sum([...reach(manifest, [key])].filter((one) => !initial.has(one) && !there(one)));
      return { key, name: kind?.name ?? "other", limit: kind?.limit ?? 0, bytes };
    });
  const largest = lazy.flatMap(({ name }) =>
    added
      .filter((part) => part.name === name)
      .sort((a, b) => b.bytes - a.bytes)
      .slice(0, 1),
  );
  return [
    { name: "initial", bytes: sum(initial), limit: INITIAL },
    ...largest.map(({ key, name, bytes, limit }) => ({ name: `${name} (${key})`, bytes, limit })),
  ];
}

/**
 * Whether a part is there by the time that this one is wanted: all that can ask for it have loaded it.
 * @param {Manifest} manifest @param {string} key @returns {(part: string) => boolean}
 */
function loadedBefore(manifest, key) {
  const askers = Object.keys(manifest)
    .filter((one) => manifest[one]?.dynamicImports?.includes(key) === true)
    .map((one) => reach(manifest, [one]));
  return (part) => askers.length > 0 && askers.every((loaded) => loaded.has(part));
}

/** What is loaded with these. @param {Manifest} manifest @param {string[]} keys @returns {Set<string>} */
function reach(manifest, keys) {
  const seen = new Set(keys);
  for (const key of seen) for (const next of manifest[key]?.imports ?? []) seen.add(next);
  return seen;
}
