import type { Workflow } from "../../client/hub-client.js";
import { Monogram } from "../parts/monogram.js";
import { sayElapsed, toMs } from "../parts/time.js";
import { useNow } from "../parts/use-now.js";
import { usePhone } from "../shell/use-phone.js";
import { doerOf, lookOf, type Step, stepLooks } from "./step-look.js";
import { type SegmentKind, timelineRow } from "./timeline-rows.js";
import { scaleTime, type TimeScale } from "./timeline-scale.js";
import "./timeline.css";

type Props = { workflow: Workflow; chosen: string | undefined; onOpen: (step: string) => void };

/** What each step did when. */
export function Timeline(props: Props) {
  // One that has ended needs no clock.
  return props.workflow.ended === null ? <LiveTimeline {...props} /> : <TimelineAt {...props} now={0} />;
}

function LiveTimeline(props: Props) {
  return <TimelineAt {...props} now={useNow()} />;
}

function TimelineAt({ workflow, chosen, onOpen, now }: Props & { now: number }) {
  const isPhone = usePhone();
  const { created, ended, steps } = workflow;
  const end =
    ended === null ? now : Math.max(...[ended, ...steps.flatMap((step) => step.ended ?? [])].map(toMs));
  const scale = scaleTime(toMs(created), end, isPhone ? 3 : 7, isPhone ? 0.5 : 0.22);
  const rows = steps.map((step) => ({ step, row: timelineRow(step, end) }));
  const kinds = new Set(rows.flatMap(({ row }) => row.segments.map(({ kind }) => kind)));
  return (
    <section className="timeline" aria-labelledby="timeline-title">
      <div className="timeline__head" aria-hidden="true">
        <h2 className="timeline__title" id="timeline-title">
          Timeline
        </h2>
        <div className="timeline__scale">
          {scale.ticks.map(({ at, label }) => (
            <span key={at} className="timeline__tick figures" style={{ left: percent(scale.place(at)) }}>
              {label}
            </span>
          ))}
        </div>
      </div>
      <div className="timeline__body">
        <div className="timeline__lines" aria-hidden="true">
          {scale.ticks.map(({ at }) => (
            <span key={at} className="timeline__line" style={{ left: percent(scale.place(at)) }} />
          ))}
          {ended === null && (
            <span
              className="timeline__line timeline__line--now"
              style={{ left: percent(scale.place(end)) }}
            />
          )}
        </div>
        <table className="timeline__table">
          <thead className="visually-hidden">
            <tr>
              <th scope="col">Step</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ step, row }) => (
              <tr
                key={step.name}
                className="timeline__row"
                aria-current={step.name === chosen ? "step" : undefined}
              >
                <th scope="row" className="timeline__name">
                  <button
                    type="button"
                    className="timeline__go"
                    tabIndex={step.name === (chosen ?? steps[0]?.name) ? 0 : -1}
                    onClick={() => onOpen(step.name)}
                  >
                    <Monogram name={doerOf(step)} size={18} />
                    <span className="timeline__step">{step.name}</span>
                  </button>
                </th>
                <td className="timeline__bars">
                  <Bars row={row} scale={scale} end={end} isShort={isPhone} />
                  <span className="visually-hidden">{sayRow(step)}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Legend kinds={kinds} />
    </section>
  );
}

type BarsProps = {
  row: ReturnType<typeof timelineRow>;
  scale: TimeScale;
  end: number;
  isShort: boolean;
};

function Bars({ row, scale, end, isShort }: BarsProps) {
  return (
    <span className="timeline__track" aria-hidden="true">
      {row.segments.map(({ kind, from, to }) => (
        <span
          key={kind}
          className={`timeline__bar timeline__bar--${kind}`}
          style={{ left: percent(scale.place(from)), width: percent(scale.place(to) - scale.place(from)) }}
        />
      ))}
      <span
        className={`timeline__label timeline__label--${row.tone} figures`}
        style={{ left: percent(scale.place(row.segments.at(-1)?.to ?? end)) }}
      >
        {isShort ? row.short : row.label}
      </span>
    </span>
  );
}

const legend: readonly { kind: SegmentKind; word: string }[] = [
  { kind: "queued", word: "queued: agent busy" },
  { kind: "running", word: "running" },
  { kind: "waiting", word: "waits for you" },
  { kind: "done", word: "done" },
  { kind: "failed", word: "failed" },
];

function Legend({ kinds }: { kinds: ReadonlySet<SegmentKind> }) {
  const shown = legend.filter(({ kind }) => kinds.has(kind) || (kind === "waiting" && kinds.has("asked")));
  if (shown.length === 0) return null;
  return (
    <div className="timeline__legend">
      {shown.map(({ kind, word }) => (
        <span key={kind} className="timeline__key">
          <span className={`timeline__sample timeline__bar--${kind}`} aria-hidden="true" />
          {word}
        </span>
      ))}
    </div>
  );
}

function sayRow(step: Step): string {
  const { word } = stepLooks[lookOf(step)];
  const { started, ended } = step;
  if (started === null || ended === null) return word;
  return `${word} after ${sayElapsed(toMs(ended) - toMs(started))}`;
}

function percent(part: number): string {
  return `${(Math.max(0, Math.min(1, part)) * 100).toFixed(3)}%`;
}
