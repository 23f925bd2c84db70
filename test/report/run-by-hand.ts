import { clientsFolder } from "../../scripts/client-programs.mjs";
import { makeRunFolders, removeRunFolder } from "../../scripts/leftovers/run-folder.mjs";

/*
 * Vitest called by hand has folders of its own as well: what its tests make is not taken for a leftover of another run, and keeps out of the
 * person's home. It is removed at the end, and nobody judges it.
 */
export function setup(): (() => void) | undefined {
  if (process.env["HUDDLE_TEST_RUN"] !== undefined) return undefined;
  const { disk, memory } = makeRunFolders();
  // Before the home is another one.
  process.env["HUDDLE_CLIENTS_DIR"] = clientsFolder();
  process.env["HUDDLE_TEST_RUN"] = disk;
  process.env["HUDDLE_TEST_MEMORY"] = memory;
  return () => {
    for (const folder of [memory, disk])
      for (const problem of removeRunFolder(folder)) console.error(problem);
  };
}
