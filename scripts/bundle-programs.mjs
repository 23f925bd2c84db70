// Makes one CommonJS file each of src/bridge/ and src/hook/: what agent CLIs are wired to must start fast, and work from
// wherever it lies.
import { join } from "node:path";
import { rolldown } from "rolldown";

/** @param {string} folder where the rest of the build is */
export async function bundlePrograms(folder) {
  await bundleAlone("src/bridge/main.ts", join(folder, "mcp-bridge.cjs"));
  await bundleAlone("src/hook/main.ts", join(folder, "hook.cjs"));
}

/** @param {string} input @param {string} file */
async function bundleAlone(input, file) {
  const bundle = await rolldown({ input, platform: "node", external: /^node:/ });
  const { output } = await bundle.write({
    file,
    format: "cjs",
    comments: false,
  });
  await bundle.close();
  const reached = output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  const foreign = reached.filter((id) => id.includes("node_modules"));
  if (foreign.length > 0 || output.length !== 1) {
    throw new Error(`${file} stands alone, and must not reach ${foreign.join(", ") || "further files"}.`);
  }
}
