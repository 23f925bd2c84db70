import { useQuery } from "@tanstack/react-query";
import { Check, ChevronDown, Copy, Minus, Stethoscope, TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { Doctor } from "../../client/hub-client.js";
import { useCanAct } from "../hub/connection.js";
import { hub, queries } from "../hub/hub.js";
import { Button, IconButton } from "../parts/button.js";
import { copyText } from "../parts/copy-text.js";
import { Ago } from "../parts/elapsed.js";
import { ErrorCard, sayWhy } from "../parts/error-card.js";
import { ShownText } from "../parts/shown-text.js";
import { Skeleton } from "../parts/skeleton.js";
import { showToast } from "../parts/toast-store.js";
import "./doctor-card.css";
import { HealthCard } from "./health-card.js";

type Result = NonNullable<Doctor["result"]>;
type Finding = Result["findings"][number];

const FIX_ALL = "huddle doctor --fix";

/** What `huddle doctor` finds from inside the hub. It runs when the person asks, and at no other time. */
export function DoctorCard() {
  const { data, error, refetch } = useQuery({
    queryKey: ["doctor"],
    queryFn: ({ signal }) => hub.doctor({ signal }),
    // No event tells of its end.
    refetchInterval: ({ state }) => (state.data?.running === true ? 1_000 : false),
  });
  const [isAsking, setAsking] = useState(false);
  const canAct = useCanAct();
  async function run(): Promise<void> {
    setAsking(true);
    try {
      queries.setQueryData(["doctor"], await hub.runDoctor());
    } catch (failure) {
      showToast({ tone: "failed", title: "The checks were not started", text: sayWhy(failure) });
    } finally {
      setAsking(false);
    }
  }
  const isRunning = data?.running === true;
  const result = data?.result ?? undefined;
  return (
    <HealthCard
      title="Doctor"
      about={
        <span className="doctor-head">
          {result !== undefined && !isRunning && (
            <span>
              looked <Ago at={result.at} />
            </span>
          )}
          <Button
            size={24}
            icon={<Stethoscope size={13} />}
            working={isRunning || isAsking}
            disabled={!canAct || data === undefined}
            onClick={() => void run()}
          >
            {isRunning ? "Looking" : result === undefined ? "Run the checks" : "Run them again"}
          </Button>
        </span>
      }
    >
      {data === undefined && error !== null && (
        <div className="health-card__waits">
          <ErrorCard title="The checks could not be asked for" error={error} retry={() => void refetch()} />
        </div>
      )}
      {result === undefined && data !== undefined && !isRunning && (
        <p className="health-note">
          Looks at Node, permissions, the store, the disk, tmux, the keychain, other hubs and each agent CLI,
          as <code>huddle doctor</code> does in a terminal.
        </p>
      )}
      {result === undefined && isRunning && (
        <div className="health-card__waits">
          <Skeleton lines={4} label="Running the checks" />
        </div>
      )}
      {result !== undefined && <Findings result={result} />}
    </HealthCard>
  );
}

function Findings({ result: { findings } }: { result: Result }) {
  const problems = findings.filter(({ state }) => state === "problem");
  const notes = findings.filter(({ state }) => state === "note");
  const fine = findings.filter(({ state }) => state === "ok");
  const fixable = problems.filter((one) => one.fixable).length;
  return (
    <>
      <ul className="health-list">
        {[...problems, ...notes].map((finding) => (
          <FindingRow key={finding.check + finding.text} finding={finding} />
        ))}
      </ul>
      {fixable > 0 && (
        <p className="health-note doctor-fix">
          <Command text={FIX_ALL} /> fixes {fixable === problems.length ? "all of it" : `${fixable} of them`}
        </p>
      )}
      <details className="doctor-fine">
        <summary>
          <Check size={14} className="health-problem__well" aria-hidden="true" />
          {fine.length} {fine.length === 1 ? "check is" : "checks are"} fine
          <ChevronDown size={14} className="doctor-fine__more" aria-hidden="true" />
        </summary>
        <dl className="health-facts">
          {fine.map(({ check, text }) => (
            <div key={check + text} className="health-facts__row">
              <dt>
                <ShownText text={check} />
              </dt>
              <dd className="doctor-fine__text">
                <ShownText text={text} />
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}

function FindingRow({ finding: { check, state, text, fix } }: { finding: Finding }) {
  return (
    <li className="health-problem">
      {state === "problem" ? (
        <TriangleAlert size={14} className="health-problem__sign" aria-label="Problem" />
      ) : (
        <Minus size={14} className="doctor-note" aria-label="Note" />
      )}
      <div className="doctor-finding">
        <p className="health-problem__text">
          <ShownText text={check} />:{" "}
          <span className="doctor-finding__text">
            <ShownText text={text} />
          </span>
        </p>
        {fix !== null && (
          <p className="health-problem__next">
            <Command text={fix} />
          </p>
        )}
      </div>
    </li>
  );
}

function Command({ text }: { text: string }) {
  return (
    <span className="doctor-command">
      <code>
        <ShownText text={text} />
      </code>
      <IconButton
        label={`Copy ${text}`}
        icon={<Copy size={13} />}
        onClick={() => copyText(text, "Command copied")}
      />
    </span>
  );
}
