// Makes a few files of the hub and the command line, with the npm packages that they use inside: Node takes longer to
// find and read a thousand small modules than a hub needs for everything else that it does to start.
//
// Sources find files by `import.meta.url`. What they find lies beside them in dist/lib/ (threads, migrations) or above it
// (the bridge, package.json), so dist/lib/ is as deep as the folders of src/, and dist/main.js holds src/main.ts alone.
import { cpSync } from "node:fs";
import { basename, join } from "node:path";
import { rolldown } from "rolldown";
import { listFiles } from "./list-files.mjs";
import { writeNotices } from "./write-notices.mjs";

/** Compiled code stays in node_modules, and so does what `ws` uses only where somebody installed it. */
const external = [
  /^node:/,
  "better-sqlite3",
  /^@photostructure\/sqlite(\/|$)/,
  "@napi-rs/keyring",
  "bufferutil",
  "utf-8-validate",
];

/** What string-width makes as it is loaded, and needs for text beyond ASCII only: half of what a command takes to start. */
const slow = [
  ["const segmenter = new Intl.Segmenter();", "new Intl.Segmenter()", "segment"],
  ["const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;", 'new RegExp("^\\\\p{RGI_Emoji}$", "v")', "test"],
];

const delayStringWidth = {
  name: "delay-string-width",
  transform: {
    filter: { id: /\/node_modules\/string-width\/index\.js$/ },
    /** @param {string} code */
    handler: (code) =>
      slow.reduce((text, [line = "", made, method]) => {
        if (!text.includes(line))
          throw new Error(`string-width has no "${line}" any more: see what replaced it.`);
        const name = line.split(" ")[1];
        const later = `let made_${name}; const ${name} = { ${method}: (text) => (made_${name} ??= ${made}).${method}(text) };`;
        return text.replace(line, () => later);
      }, code),
  },
};

/** @param {string} folder */
export async function bundleHub(folder) {
  const threads = listFiles(["src"], /-worker\.js$/);
  const bundle = await rolldown({
    input: {
      main: "src/main.ts",
      "lib/demo-agent": "src/demo/scripted-agent.ts",
      ...Object.fromEntries(threads.map((path) => [`lib/${basename(path, ".js")}`, path])),
    },
    platform: "node",
    external,
    plugins: [delayStringWidth],
    // What Node would load of it finds its parts as it runs, which no bundle can follow.
    resolve: { alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" } },
    // Entries are run, not imported.
    preserveEntrySignatures: false,
  });
  const { output } = await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "lib/[name].js",
    comments: false,
    // What every command and the hub use is one file instead of a dozen; the rest is split by who loads it.
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: "base", test: /\/src\/model\/|\/node_modules\/(commander|picocolors)\// }],
    },
  });
  await bundle.close();
  const chunks = output.flatMap((part) => (part.type === "chunk" ? [part] : []));
  checkLayout(chunks);
  cpSync("src/journal/migrations", join(folder, "lib", "migrations"), { recursive: true });
  writeNotices(
    join(folder, "THIRD-PARTY-NOTICES.txt"),
    chunks.flatMap(({ moduleIds }) => moduleIds),
  );
}

/** @param {{ fileName: string, moduleIds: string[], code: string }[]} chunks */
function checkLayout(chunks) {
  const lost = chunks.find(({ code }) => /\brequire\(["']\.{1,2}\//.test(code));
  if (lost !== undefined)
    throw new Error(`${lost.fileName} would look for a part of a package that is not there.`);
  const main = chunks.find(({ fileName }) => fileName === "main.js");
  if (main?.moduleIds.length !== 1)
    throw new Error(
      `dist/main.js must hold src/main.ts alone, not ${main?.moduleIds.join(", ")}: load them with import().`,
    );
  const stray = chunks.find(({ fileName }) => fileName !== "main.js" && !/^lib\/[^/]+$/.test(fileName));
  if (stray !== undefined) throw new Error(`${stray.fileName} does not lie in dist/lib/.`);
}
