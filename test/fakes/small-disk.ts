import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk of its own size, on which real "no space left" errors happen. Needs root. */
export type SmallDisk = {
  folder: string;
  /** Takes space that `remove` gives back. */
  addBallast(bytes: number): { remove(): void };
  grow(bytes: number): void;
  makeReadOnly(isReadOnly: boolean): void;
  unmount(): void;
};

/** The disk, or why it cannot be had. */
export function mountSmallDisk(bytes: number): SmallDisk | string {
  if (process.platform !== "linux") return "a small disk needs Linux's tmpfs";
  const folder = mkdtempSync(join(tmpdir(), "huddle-disk-"));
  const { status, stderr, error } = spawnSync(
    "mount",
    ["-t", "tmpfs", "-o", `size=${bytes},mode=700`, "tmpfs", folder],
    {
      encoding: "utf8",
    },
  );
  if (status !== 0) {
    rmSync(folder, { recursive: true });
    return `mounting a small disk is not permitted here: ${error?.message ?? stderr.trim()}`;
  }
  let ballasts = 0;
  return {
    folder,
    addBallast(size) {
      const file = join(folder, `ballast-${ballasts++}`);
      writeFileSync(file, Buffer.alloc(size, 1));
      return { remove: () => rmSync(file) };
    },
    grow(size) {
      spawnSync("mount", ["-o", `remount,size=${size}`, folder]);
    },
    makeReadOnly(isReadOnly) {
      spawnSync("mount", ["-o", `remount,${isReadOnly ? "ro" : "rw"}`, folder]);
    },
    unmount() {
      spawnSync("umount", ["--lazy", folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
