// Builds the desk (src/web) into web/ of the given folder: hashed files below assets/, and a manifest that names which
// file belongs to what, for the check of the budget.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import { webNotices } from "./web-notices.mjs";
import { withoutProse } from "./without-prose.mjs";

/** @param {string} folder */
export async function bundleWeb(folder) {
  await build({
    root: resolve("src/web"),
    configFile: false,
    logLevel: "warn",
    plugins: [react(), themeFirst(), withoutProse(), webNotices(resolve(folder, "web"))],
    // The page is served from the root only, and its addresses are fragments.
    base: "/",
    build: {
      outDir: resolve(join(folder, "web")),
      emptyOutDir: false,
      assetsDir: "assets",
      manifest: true,
      target: "es2023",
      // A data: address would need a wider policy than 'self'.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // check-budget measures what a browser loads, compressed.
      chunkSizeWarningLimit: 2000,
    },
  });
}

/**
 * The theme is chosen by a script of its own that runs before anything is drawn: modules run too late for that, and the
 * policy allows no script inside the page.
 * @returns {import("vite").Plugin}
 */
function themeFirst() {
  return {
    name: "theme-first",
    buildStart() {
      const source = readFileSync(resolve("src/web/theme.js"), "utf8");
      this.emitFile({ type: "asset", name: "theme.js", source });
    },
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {} }) {
        const built = Object.values(bundle).find(
          (file) => file.type === "asset" && file.names.includes("theme.js"),
        );
        if (built === undefined) throw new Error("theme.js is not in the bundle");
        return [{ tag: "script", attrs: { src: `/${built.fileName}` }, injectTo: "head-prepend" }];
      },
    },
  };
}
