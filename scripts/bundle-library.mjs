// Makes what `import { connect } from "huddle"` loads: one file with the packages that it uses inside, and the types that it
// shows. It shares nothing with the hub's own files, so that neither makes the other slower to load.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { compile } from "./compile.mjs";
import { listFiles } from "./list-files.mjs";
import { writeNotices } from "./write-notices.mjs";

/** @param {string} folder where the rest of the build is @returns {Promise<boolean>} whether the types are right */
export async function bundleLibrary(folder) {
  const types = join(folder, "types");
  const [hasGoodTypes] = await Promise.all([
    compile("tsconfig.library.json", types),
    bundle(join(folder, "library")),
  ]);
  if (hasGoodTypes) keepReached(types, join(types, "library", "index.d.ts"));
  return hasGoodTypes;
}

/** @param {string} folder */
async function bundle(folder) {
  const bundled = await rolldown({
    input: "src/library/index.ts",
    platform: "node",
    external: [/^node:/, "bufferutil", "utf-8-validate"],
  });
  const { output } = await bundled.write({
    file: join(folder, "index.js"),
    format: "esm",
    comments: false,
  });
  await bundled.close();
  writeNotices(
    join(folder, "THIRD-PARTY-NOTICES.txt"),
    output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : [])),
  );
}

/** Types that no type of the library leads to are nobody's business. @param {string} folder @param {string} entry */
function keepReached(folder, entry) {
  const reached = new Set();
  const next = [resolve(entry)];
  for (let file = next.pop(); file !== undefined; file = next.pop()) {
    if (reached.has(file) || !existsSync(file)) continue;
    reached.add(file);
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g))
      next.push(resolve(dirname(file), `${path}.d.ts`));
  }
  for (const file of listFiles([folder], /\.d\.ts$/)) if (!reached.has(resolve(file))) rmSync(file);
}
