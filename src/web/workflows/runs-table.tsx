import { Play } from "lucide-react";
import { useCanAct } from "../hub/connection.js";
import { Button } from "../parts/button.js";
import { ErrorCard } from "../parts/error-card.js";
import { PartyTile } from "../parts/party-tile.js";
import { SegmentBar } from "../parts/segment-bar.js";
import { ShownText } from "../parts/shown-text.js";
import { Skeleton } from "../parts/skeleton.js";
import { sayClock, sayDay, toMs } from "../parts/time.js";
import { useNow } from "../parts/use-now.js";
import { hrefOf } from "../shell/places.js";
import { workflowWords } from "./step-look.js";
import { StepTime } from "./step-time.js";
import type { Run, useRuns } from "./use-workflows.js";
import { runProgress, sayRun } from "./workflow-progress.js";
import "./runs-table.css";

type Props = {
  query: ReturnType<typeof useRuns>;
  chosen: string | undefined;
  failedOnly: boolean;
  onRun: () => void;
};

/** What runs, and what ran before, newest first. */
export function RunsTable({ query, chosen, failedOnly, onRun }: Props) {
  const { runs, error, hasNextPage, isFetchingNextPage } = query;
  const canAct = useCanAct();
  const now = useNow();
  return (
    <section className="runs" aria-labelledby="runs-title">
      <header className="runs__head">
        <h2 className="runs__title" id="runs-title">
          Runs{" "}
          <span className="runs__count figures">{runs === undefined ? "" : countOf(runs, hasNextPage)}</span>
        </h2>
        {failedOnly && <span className="runs__note">failed ones only</span>}
        <Button size={28} icon={<Play size={12} />} disabled={!canAct} onClick={onRun}>
          Run a workflow…
        </Button>
      </header>
      {error !== null && runs === undefined ? (
        <ErrorCard title="The runs could not be loaded" error={error} retry={() => void query.refetch()} />
      ) : runs === undefined ? (
        <Skeleton lines={4} label="Loading the runs" />
      ) : runs.length === 0 ? (
        <p className="runs__none">{failedOnly ? "No run has failed." : "No runs yet."}</p>
      ) : (
        <table className="runs__table">
          <thead className="visually-hidden">
            <tr>
              <th scope="col">Workflow</th>
              <th scope="col">By</th>
              <th scope="col">Steps</th>
              <th scope="col">Took</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <RunRow key={run.workflow_id} run={run} isChosen={run.workflow_id === chosen} now={now} />
            ))}
          </tbody>
        </table>
      )}
      {hasNextPage && (
        <Button
          kind="quiet"
          className="runs__more"
          working={isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Older runs
        </Button>
      )}
    </section>
  );
}

function RunRow({ run, isChosen, now }: { run: Run; isChosen: boolean; now: number }) {
  const by = run.by === "user" ? "you" : run.by;
  const { tone } = workflowWords[run.status];
  return (
    <tr className="runs__row" aria-current={isChosen ? "true" : undefined} data-run={run.workflow_id}>
      <th scope="row" className="runs__name">
        <a className="runs__link" href={hrefOf({ page: "workflows", id: run.workflow_id })}>
          <ShownText text={run.name} />
        </a>
      </th>
      <td className="runs__by">
        <span className="runs__who">
          <PartyTile name={by} />
          <ShownText text={by} />
        </span>
      </td>
      <td className="runs__far">
        <span className="runs__progress">
          <SegmentBar width={120} segments={runProgress(run)} />
          <span className={`runs__words runs__words--${tone} figures`}>{sayRun(run)}</span>
        </span>
      </td>
      <td className="runs__took figures">
        <StepTime step={{ started: run.created, ended: run.ended }} />
      </td>
      <td className="runs__when figures">
        <time dateTime={run.created}>{sayBegan(run, now)}</time>
      </td>
    </tr>
  );
}

function sayBegan({ created, ended }: Run, now: number): string {
  if (ended === null) return "now";
  const day = sayDay(toMs(created), now);
  return day === "Today" ? sayClock(toMs(created)) : day.toLowerCase();
}

function countOf(runs: readonly Run[], hasMore: boolean): string {
  return `${runs.length}${hasMore ? "+" : ""}`;
}
