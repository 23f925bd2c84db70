import { lstat, mkdir } from "node:fs/promises";

/** Huddle's own folder in a project: mail that is too long for a line, and worktrees. */
export const OWN_FOLDER = ".huddle";

/** Makes a folder that only this user can read, or finds it; a link in its place would lead what is written wherever its maker likes. */
export async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  });
  const info = await lstat(folder);
  if (!info.isDirectory() || info.uid !== process.getuid?.())
    throw new Error(`${folder} is not a folder of yours`);
}
