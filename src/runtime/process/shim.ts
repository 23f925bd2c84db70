/*
 * What stands between the hub and an agent's process, so that none outlives the hub, not even when it is killed with -9:
 *
 *   hub ── spawns, in a process group of its own ──▶ [setpriv --pdeathsig KILL] sh ── exec ──▶ the agent
 *    └────────── the lifeline, a pipe as fd 3 ────────────▶ the watch, in the same group
 *
 * The shell becomes the agent, so its pid, its exit code and its pipes are the agent's own. Before that it leaves a watch
 * behind, which sleeps until the lifeline closes: the hub closed it, or is gone. Then the watch ends the group, and what
 * left the group (`setsid`) by the run's mark in the environment. `setpriv`, where there is one, kills the agent itself
 * even if the watch is gone. The scripts are fixed texts; the agent's argv are positional parameters, which no shell reads.
 */

/** A mark of one run in the environment of its processes: an agent that is started again has the same `HUDDLE_HOSTED`. */
export const runVariable = "HUDDLE_RUN";

const launch = `
/usr/bin/env -i PATH="$PATH:/usr/bin:/bin" /bin/sh -c "$1" huddle-watch $$ "$2" </dev/null >/dev/null 2>&1 &
shift 2
exec "$@" 3<&-
`;

// It runs with an empty environment, so that it does not bear the mark itself; and it is in the group that it kills last.
const watch = `
trap '' HUP INT TERM
read -r _ <&3
kill -s TERM -- "-$1"
sleep 2
for _ in 1 2; do
  if [ -d /proc/self ]; then
    for file in $(LC_ALL=C grep -lzxF "${runVariable}=$2" /proc/[0-9]*/environ 2>/dev/null); do
      pid=\${file#/proc/}
      kill -s KILL "\${pid%/environ}"
    done
  else
    ps -axEww -o pid=,command= | grep -F " ${runVariable}=$2" | while read -r pid _; do
      kill -s KILL "$pid"
    done
  fi
done
kill -s KILL -- "-$1"
`;

type ShimOptions = { run: string; setpriv: string | undefined };

/** The argv to spawn, `detached` and with a pipe as fd 3, in order to run the given one. */
export function shimCommand(argv: readonly string[], { run, setpriv }: ShimOptions): [string, ...string[]] {
  const shell = ["-c", launch, "huddle-shim", watch, run, ...argv];
  return setpriv === undefined
    ? ["/bin/sh", ...shell]
    : [setpriv, "--pdeathsig", "KILL", "/bin/sh", ...shell];
}
