import { parseObject } from "../fakes/http-call.js";
import { createHubYard, launchHub, signalProcess } from "../fakes/hub-process.js";

/* Promise 8: one hub per data directory. A second one is refused and says who holds it; a killed one leaves no trace. */

export type OneHubResult = {
  refused: number;
  restarted: number;
  slowestRestartMs: number;
  violations: string[];
};

const AT_ONCE = 4;

export async function runOneHub({
  seconds,
  kills,
}: {
  seconds: number;
  kills: number;
}): Promise<OneHubResult> {
  const yard = createHubYard();
  const home = yard.home();
  const result: OneHubResult = { refused: 0, restarted: 0, slowestRestartMs: 0, violations: [] };
  try {
    let hub = await yard.start({ home });
    for (let begun = 0; begun < seconds; begun += AT_ONCE) {
      const attempts = Math.min(AT_ONCE, seconds - begun);
      await Promise.all(
        Array.from({ length: attempts }, async () => {
          const problem = await tryASecond(home, hub);
          if (problem === undefined) result.refused++;
          else result.violations.push(problem);
        }),
      );
    }
    const { status } = await hub.http.call("GET", "/api/health", { token: hub.operator });
    if (status !== 200) result.violations.push(`the first hub answers ${status}`);

    for (let done = 0; done < kills; done++) {
      await hub.kill();
      const began = performance.now();
      hub = await yard.start({ home });
      result.slowestRestartMs = Math.max(result.slowestRestartMs, performance.now() - began);
      result.restarted++;
    }
    return result;
  } finally {
    await yard.clear();
  }
}

/** What is wrong with a second hub, or undefined. */
async function tryASecond(home: string, first: { pid: number; url: string }): Promise<string | undefined> {
  const launch = launchHub({ home });
  const runs = await launch.ready.then(
    () => true,
    () => false,
  );
  if (runs) signalProcess(launch.pid, "SIGKILL");
  const { code, stdout, stderr } = await launch.ended;
  if (runs) return `the second hub runs: ${stdout}`;
  const refusal = parseObject(stderr);
  if (code === 0 || code === null) return `the second hub ended with ${code}`;
  if (stdout !== "") return `the second hub printed ${stdout}`;
  if (refusal["code"] !== "HUB_RUNNING") return `the second hub said ${stderr}`;
  if (refusal["pid"] !== first.pid || refusal["url"] !== first.url) return `it named another: ${stderr}`;
  const sentence = String(refusal["error"]);
  return sentence.includes(`pid ${first.pid}`) && sentence.includes(home)
    ? undefined
    : `it said "${sentence}"`;
}
