// What is mounted, and which files are disks. Linux only.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** @typedef {{ path: string, source: string, type: string }} Mount */

/** @returns {Mount[]} */
export function listMounts() {
  if (!existsSync("/proc/mounts")) return [];
  return readFileSync("/proc/mounts", "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const [source = "", path = "", type = ""] = line.split(" ").map(unescaped);
      return { path, source, type };
    });
}

/** The kernel writes spaces and the like in octal: `\040`. @param {string} text */
function unescaped(text) {
  return text.replaceAll(/\\(\d{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));
}

/** Unmounts what is mounted below a folder, the innermost first. @param {string} folder */
export function unmount(folder) {
  const below = listMounts().filter(({ path }) => path.startsWith(`${folder}/`));
  for (const { path } of below.reverse()) spawnSync("umount", [path], { stdio: "ignore" });
}

/** The loop devices that stand for a file. @returns {{ device: string, file: string }[]} */
export function listLoopDevices() {
  const blocks = "/sys/block";
  if (!existsSync(blocks)) return [];
  return readdirSync(blocks).flatMap((name) => {
    const backing = join(blocks, name, "loop", "backing_file");
    try {
      return [{ device: `/dev/${name}`, file: readFileSync(backing, "utf8").trim() }];
    } catch {
      return []; // It is none, or stands for no file.
    }
  });
}
