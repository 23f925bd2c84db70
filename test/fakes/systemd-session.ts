import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/*
 * A real systemd for one user, in namespaces of its own: it sees neither the machine's systemd nor its processes, and whatever it
 * started is gone when its script ends. Needs root and the package systemd.
 */

const SYSTEMD = "/usr/lib/systemd/systemd";

export function hasSystemd(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !existsSync(SYSTEMD)) return false;
  try {
    execFileSync("unshare", ["-m", "-p", "-f", "--mount-proc", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

type Ran = { code: number | null; output: string };

/** Runs a shell script beside that systemd; ends with it. */
export async function runInSystemd(script: string, env: Record<string, string>): Promise<Ran> {
  const place = mkdtempSync(join(tmpdir(), "huddle-systemd-"));
  const file = join(place, "script.sh");
  writeFileSync(
    file,
    `set -e
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/system /run/user/0
export XDG_RUNTIME_DIR=/run/user/0
${SYSTEMD} --user --log-target=null >/dev/null 2>&1 &
until systemctl --user show --property=Version >/dev/null 2>&1; do sleep 0.1; done
${script}
`,
  );
  const before = groups();
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn("unshare", ["-m", "-p", "-f", "--mount-proc", "--kill-child", "sh", file], {
        env: { PATH: process.env["PATH"] ?? "", ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => {
          output += text;
        });
      child.once("error", reject);
      child.once("close", (code) => resolve({ code, output }));
    });
  } finally {
    for (const group of groups().filter((one) => !before.includes(one))) removeGroup(group);
    rmSync(place, { recursive: true, force: true });
  }
}

/** The control groups of the machine: systemd makes its own beside them, and leaves them behind. */
function groups(): string[] {
  const roots = ["/sys/fs/cgroup/systemd", "/sys/fs/cgroup/unified", "/sys/fs/cgroup"];
  return roots
    .filter((root) => existsSync(root))
    .flatMap((root) =>
      readdirSync(root, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && /\.(slice|scope)$/.test(entry.name))
        .map(({ name }) => join(root, name)),
    );
}

function removeGroup(group: string): void {
  for (const entry of readdirSync(group, { withFileTypes: true }))
    if (entry.isDirectory()) removeGroup(join(group, entry.name));
  rmdirSync(group);
}
