// Builds the desk (src/web) into web/ of the given folder: hashed files below assets/, and a manifest that names which
// file belongs to what, for the check of the budget.
import { join, resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { build } from "vite";

/** @param {string} folder */
export async function bundleWeb(folder) {
  await build({
    root: resolve("src/web"),
    configFile: false,
    logLevel: "warn",
    plugins: [react()],
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
    },
  });
}
