import { join, resolve } from "node:path";
import { writeNotices } from "./write-notices.mjs";

/**
 * Has the licences of what the desk contains, code and fonts, stand beside it.
 * @param {string} folder the built one @returns {import("vite").Plugin}
 */
export function webNotices(folder) {
  /** @type {string} */
  let root;
  return {
    name: "web-notices",
    configResolved(config) {
      root = config.root;
    },
    writeBundle(_, bundle) {
      const sources = Object.values(bundle).flatMap((file) =>
        file.type === "chunk" ? file.moduleIds : file.originalFileNames.map((name) => resolve(root, name)),
      );
      // Modules that the bundler made up begin with NUL.
      writeNotices(join(folder, "THIRD-PARTY-NOTICES.txt"), [
        ...new Set(sources.map((path) => path.replace(/^\0/, ""))),
      ]);
    },
  };
}
