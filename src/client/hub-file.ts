import { readFileSync } from "node:fs";
import { z } from "zod";
import { HubError } from "../model/errors.js";

/** Where the running hub answers. Written by the hub once it listens; see `daemon/hub-file.ts`. */
const hubFileSchema = z.object({
  url: z.url({ protocol: /^https?$/ }),
  pid: z.int().positive(),
});
export type HubFile = z.infer<typeof hubFileSchema>;

/** What `hub.json` says, or undefined without one. After a kill it may name a hub that is gone: ask it. */
export function readHubFile(file: string): HubFile | undefined {
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  try {
    return hubFileSchema.parse(JSON.parse(text));
  } catch {
    // The hub writes it whole or not at all, so this is not its work: as good as none.
    return undefined;
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new HubError(
      "DATA_UNUSABLE",
      `${file} cannot be read (${reason}). Check who owns it: ls -l ${file}`,
      { file },
      { cause: error },
    );
  }
}
