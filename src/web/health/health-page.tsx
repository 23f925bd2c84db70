import { Check, Copy, RefreshCw, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Health, HealthDetails } from "../../client/hub-client.js";
import { queries } from "../hub/hub.js";
import { useHealth, useHealthDetails } from "../hub/use-hub.js";
import { sayBytes, sayCount } from "../parts/amounts.js";
import { Button } from "../parts/button.js";
import { Chip } from "../parts/chip.js";
import { copyText } from "../parts/copy-text.js";
import { ErrorCard } from "../parts/error-card.js";
import { Skeleton } from "../parts/skeleton.js";
import { sayClockSeconds, toMs } from "../parts/time.js";
import { useNow } from "../parts/use-now.js";
import { PageFrame } from "../shell/page-frame.js";
import { PageHead } from "../shell/page-head.js";
import { useTitle } from "../shell/page-title.js";
import { useKeys } from "../shell/use-keys.js";
import { BackendsCard } from "./backends-card.js";
import { DoctorCard } from "./doctor-card.js";
import { JournalCard, LimitsCard } from "./figures-cards.js";
import "./health-page.css";
import "./health-tables.css";
import { PausedCard } from "./paused-card.js";
import { PeersCard } from "./peers-card.js";
import { ProblemsCard } from "./problems-card.js";
import { sayReport } from "./say-report.js";
import { AgentsCard, DaysCard } from "./usage-cards.js";

/** Whether the hub is well, what it holds, and what agents cost. */
export function HealthPage() {
  useTitle("Health");
  const { data: health } = useHealth();
  const { data: details, error, isFetching, refetch } = useHealthDetails({ isWatched: true });
  const checkAgain = () => {
    void refetch();
    for (const key of ["health", "backends", "usage", "pauses", "peers"])
      void queries.invalidateQueries({ queryKey: [key] });
  };
  const copyReport = () => {
    if (health !== undefined && details !== undefined) copyText(sayReport(health, details), "Report copied");
  };
  useKeys("Health", [
    { keys: "r", label: "check again", act: checkAgain },
    { keys: "y", label: "copy report", act: copyReport },
  ]);
  return (
    <PageFrame>
      <PageHead title="Health">
        {details !== undefined && <Verdict details={details} />}
        <div className="health-head__acts">
          <Button icon={<Copy size={14} />} disabled={details === undefined} onClick={copyReport}>
            Copy report
          </Button>
          <Button
            icon={<RefreshCw size={14} />}
            disabled={isFetching && details === undefined}
            onClick={checkAgain}
          >
            Check again
          </Button>
        </div>
      </PageHead>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section className="health-scroll" tabIndex={0} aria-label="Figures">
        {details === undefined || health === undefined ? (
          <div className="health-waits">
            {error === null ? (
              <Skeleton lines={9} label="Loading health" />
            ) : (
              <ErrorCard title="The hub's figures could not be loaded" error={error} retry={checkAgain} />
            )}
          </div>
        ) : (
          <>
            <Tiles health={health} details={details} />
            <div className="health-columns">
              <div className="health-column">
                <ProblemsCard problems={details.problems} />
                <DoctorCard />
                <DaysCard />
                <AgentsCard budgets={details.budgets} />
                <PausedCard />
              </div>
              <div className="health-column">
                <PeersCard />
                <BackendsCard />
                <LimitsCard limits={details.limits} />
                <JournalCard details={details} />
              </div>
            </div>
          </>
        )}
      </section>
    </PageFrame>
  );
}

function Verdict({ details: { problems, checked } }: { details: HealthDetails }) {
  const count = problems.length;
  return (
    <>
      {count === 0 ? (
        <Chip tone="green" icon={<Check />}>
          all is well
        </Chip>
      ) : (
        <Chip tone="amber" icon={<TriangleAlert />}>
          {count} {count === 1 ? "problem" : "problems"}
        </Chip>
      )}
      <span className="health-head__checked figures">checked {sayClockSeconds(toMs(checked))}</span>
    </>
  );
}

function Tiles({ health, details }: { health: Health; details: HealthDetails }) {
  const { commits, journal, disk, memory } = details;
  return (
    <dl className="health-tiles">
      <Tile
        name="Accepted to on disk"
        about={
          commits.count === 0
            ? "nothing was stored since the start"
            : `median of the last ${sayCount(commits.count)}`
        }
      >
        {commits.median_ms === null ? "–" : `${commits.median_ms.toFixed(1)} ms`}
      </Tile>
      <Tile name="Journal" about={`${sayBytes(journal.bytes)} · WAL ${sayBytes(journal.wal_bytes)}`}>
        {sayCount(journal.events)} events
      </Tile>
      <Tile
        name="Free space"
        about={disk === null ? "the disk cannot be looked at" : `stops at ${sayBytes(disk.reserve_bytes)}`}
      >
        {disk === null ? "–" : sayBytes(disk.free_bytes)}
      </Tile>
      <Tile name="Up" about={`pid ${health.pid} · ${sayBytes(memory.rss_bytes)}`}>
        <Uptime since={toMs(health.started)} />
      </Tile>
    </dl>
  );
}

function Tile({ name, about, children }: { name: string; about: string; children: ReactNode }) {
  return (
    <div className="health-tile">
      <dt className="health-tile__name">{name}</dt>
      <dd className="health-tile__figure figures">
        {children}
        <span className="health-tile__about">{about}</span>
      </dd>
    </div>
  );
}

function Uptime({ since }: { since: number }) {
  const seconds = Math.max(0, Math.floor((useNow() - since) / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  return minutes < 60
    ? `${minutes} min`
    : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}
