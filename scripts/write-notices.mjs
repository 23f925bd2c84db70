// Licences ask that their text comes along with the code, and bundled code leaves its package behind.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @param {string} file
 * @param {string[]} modules the paths of what was bundled
 */
export function writeNotices(file, modules) {
  const folders = new Set(
    modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  const notices = [...folders].map(describePackage).sort();
  writeFileSync(
    file,
    `Huddle contains code of these packages.\n\n${notices.join(`\n${"-".repeat(80)}\n\n`)}`,
  );
}

/** @param {string} folder */
function describePackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const texts = readdirSync(folder).filter((entry) => /^(licen[cs]e|notice|copying)/i.test(entry));
  if (texts.length === 0 && license === undefined) throw new Error(`${name} has no licence to pass on.`);
  return [
    `${name} ${version} (${license})`,
    ...texts.map((text) => readFileSync(join(folder, text), "utf8").trim()),
  ]
    .join("\n\n")
    .concat("\n");
}
