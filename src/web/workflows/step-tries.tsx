import type { StepDetails } from "../../client/hub-client.js";
import { Monogram } from "../parts/monogram.js";
import { ShownText } from "../parts/shown-text.js";
import { sayClock, sayElapsed, sayLength, toMs } from "../parts/time.js";
import { DrawerSection } from "./drawer-section.js";
import { StepGlyph } from "./step-glyph.js";

type Try = StepDetails["tries"][number];

/** What the hub ran to see whether the answer passes. */
export function StepChecks({ checks }: { checks: Try["checks"] }) {
  const passed = checks.filter((check) => check.passed).length;
  return (
    <DrawerSection title="Checks" aside={`${passed}/${checks.length} passed`}>
      {checks.map(({ name, passed: isPassed, exit, ms, output }) => (
        <details key={name} className="step-input" open={!isPassed}>
          <summary className="step-input__row">
            <StepGlyph look={isPassed ? "done" : "failed"} />
            <span className="step-input__name">{name}</span>
            <span className="step-input__words figures">
              {exit === null ? "did not run to its end" : `exit ${exit}`} · {sayLength(ms)}
            </span>
          </summary>
          <pre className="step-drawer__block">
            <ShownText text={output.trim() === "" ? "It printed nothing." : output.trimEnd()} />
          </pre>
        </details>
      ))}
    </DrawerSection>
  );
}

const looks: { readonly [S in Try["status"]]: Parameters<typeof StepGlyph>[0]["look"] } = {
  pending: "queued",
  running: "running",
  checking: "running",
  waiting: "waiting",
  done: "done",
  failed: "failed",
  cancelled: "cancelled",
};

/** Every time that it was begun, with who did it and how that ended. */
export function StepTries({ tries }: { tries: readonly Try[] }) {
  return (
    <DrawerSection
      title={tries.length === 1 ? "Attempt" : "Attempts"}
      aside={tries.length > 1 ? tries.length : undefined}
    >
      <ol className="step-tries">
        {tries.map((one) => (
          <li key={one.task_id} className="step-try">
            <StepGlyph look={looks[one.status]} />
            <Monogram name={one.agent} size={18} />
            <span className="step-try__who">
              <ShownText text={one.agent} />
            </span>
            <span className="step-try__facts figures">{sayTry(one)}</span>
            {one.error !== null && (
              <span className="step-try__why">
                <ShownText text={one.error} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </DrawerSection>
  );
}

function sayTry({ status, started, ended, attempt, attempts, usage }: Try): string {
  const tokens = usage.input_tokens + usage.output_tokens;
  return [
    status === "done" || status === "failed" ? "" : status,
    attempts > 1 ? `answer ${attempt} of ${attempts}` : "",
    started === null ? "" : sayClock(toMs(started)),
    started === null || ended === null ? "" : sayElapsed(toMs(ended) - toMs(started)),
    tokens === 0 ? "" : `${tokens.toLocaleString("en-US")} tokens`,
    usage.cost_usd === null ? "" : `$${usage.cost_usd.toFixed(2)}`,
  ]
    .filter((fact) => fact !== "")
    .join(" · ");
}
