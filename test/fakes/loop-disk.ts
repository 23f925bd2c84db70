import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk of its own that can fail as a real one does: the file system stops writing under whoever has files open. Needs root. */
export type LoopDisk = {
  folder: string;
  /** What the kernel does after an error of the disk: from now on every write answers "read-only file system". */
  turnReadOnly(): void;
  unmount(): void;
};

const SIZE = "64M";

/** The disk, or why it cannot be had. */
export function mountLoopDisk(): LoopDisk | string {
  if (process.platform !== "linux") return "a disk in a file needs Linux";
  const place = mkdtempSync(join(tmpdir(), "huddle-loop-"));
  const image = join(place, "image");
  const folder = join(place, "disk");
  mkdirSync(folder);
  const steps = [
    ["truncate", "-s", SIZE, image],
    ["mkfs.ext4", "-q", image],
    ["mount", "-o", "loop,errors=remount-ro", image, folder],
  ];
  for (const [program = "", ...args] of steps) {
    const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
    if (status === 0) continue;
    rmSync(place, { recursive: true, force: true });
    return `a disk in a file cannot be mounted here: ${error?.message ?? stderr.trim()}`;
  }
  return {
    folder,
    turnReadOnly() {
      spawnSync("mount", ["-o", "remount,abort", folder]);
    },
    unmount() {
      spawnSync("umount", ["--lazy", folder]);
      rmSync(place, { recursive: true, force: true });
    },
  };
}
