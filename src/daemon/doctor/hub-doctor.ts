import type { z } from "zod";
import type { doctorRoutes } from "../../contract/http/doctor.js";
import type { Finding } from "../../model/finding.js";

type Doctor = z.input<typeof doctorRoutes.show.response>;

type DoctorPorts = {
  examine: (signal: AbortSignal) => Promise<readonly Finding[]>;
  wall: () => number;
  onError: (error: unknown) => void;
};

/**
 * `huddle doctor` inside the hub. It rests until somebody asks; then it runs once, whoever else asks meanwhile. What it found is
 * kept until the next run, or the hub's end.
 */
export function createHubDoctor({ examine, wall, onError }: DoctorPorts) {
  const ending = new AbortController();
  let result: Doctor["result"] = null;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    const begun = performance.now();
    const found = await examine(ending.signal).catch((error: unknown): Finding[] => {
      if (!ending.signal.aborted) onError(error);
      return [failed(error)];
    });
    result = {
      at: new Date(wall()).toISOString(),
      took_ms: Math.round(performance.now() - begun),
      ok: found.every(({ state }) => state !== "problem"),
      findings: found.map((finding) => ({
        check: finding.check,
        state: finding.state,
        text: finding.text,
        fix: finding.fix ?? null,
        fixable: finding.state === "problem" && finding.repair !== undefined,
      })),
    };
  }

  const read = (): Doctor => ({ running: running !== undefined, result });
  return {
    read,
    start(): Doctor {
      if (!ending.signal.aborted)
        running ??= run().finally(() => {
          running = undefined;
        });
      return read();
    },
    /** What runs is ended: nothing outlives the hub. */
    async close(): Promise<void> {
      ending.abort();
      await running;
    },
  };
}

function failed(error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    check: "doctor",
    state: "problem",
    text: `The checks could not be run to their end: ${reason}`,
    fix: "huddle doctor",
  };
}
