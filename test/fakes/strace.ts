import { spawnSync } from "node:child_process";

/** Why strace cannot be used here, or undefined. Containers without ptrace forbid it. */
export function straceMissing(): string | undefined {
  const { error, status, stderr } = spawnSync("strace", ["-f", "-o", "/dev/null", "true"], {
    encoding: "utf8",
  });
  if (error !== undefined)
    return `strace is not installed (${error.message}): node scripts/ensure-system.mjs`;
  return status === 0 ? undefined : `strace may not trace here: ${stderr.trim()}`;
}

/** Arguments that run a program under strace with its system calls on files and sockets written to `output`. */
export function traceCalls(output: string): string[] {
  const calls = "trace=pwrite64,write,fdatasync,fsync,sendto,sendmsg,writev";
  return ["strace", "-f", "--seccomp-bpf", "-qq", "-yy", "-s", "1000", "-e", calls, "-o", output];
}

export type Fault = {
  what: "write" | "flush";
  error: "ENOSPC" | "EIO";
  /** Which of the calls on that file fail, counted from one. */
  first: number;
  last: number;
};

/** Arguments that run a program whose writes to, or flushes of, `file` fail as told. */
export function injectFault(file: string, { what, error, first, last }: Fault): string[] {
  const calls = what === "write" ? "pwrite64" : "fdatasync,fsync";
  const inject = `inject=${calls}:error=${error}:when=${first}..${last}`;
  const quiet = ["-qqq", "-o", "/dev/null"];
  return ["strace", "-f", "--seccomp-bpf", ...quiet, "-P", file, "-e", `trace=${calls}`, "-e", inject];
}
