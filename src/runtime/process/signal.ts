/** Sends a signal to a process, or to a group by its negative number. Says whether anybody was there to get it. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM")) {
      return false;
    }
    throw error;
  }
}
