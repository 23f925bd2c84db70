import type { ReactNode } from "react";
import type { HealthDetails } from "../../client/hub-client.js";
import { sayBytes, sayCount } from "../parts/amounts.js";
import { Ago } from "../parts/elapsed.js";
import { HealthCard, UseBar } from "./health-card.js";

const integrityWords: { readonly [S in HealthDetails["journal"]["integrity"]]: string } = {
  unchecked: "not checked yet",
  checking: "being checked",
  sound: "sound",
  damaged: "damaged: restore a backup",
};

/** The journal, what is made from it, and who reads it. */
export function JournalCard({ details }: { details: HealthDetails }) {
  const { journal, files, views, readers, memory, commits } = details;
  return (
    <HealthCard title="Journal" about={`seq ${sayCount(journal.seq)}`}>
      <dl className="health-facts">
        <Fact name="All of the file">
          {integrityWords[journal.integrity]}
          {journal.integrity_at !== null && (
            <>
              , checked <Ago at={journal.integrity_at} />
            </>
          )}
        </Fact>
        <Fact name="Oldest event">
          {journal.oldest === null ? "–" : <Ago at={journal.oldest} />}
          {journal.first > 1 && `, earlier ones were pruned (first ${sayCount(journal.first)})`}
        </Fact>
        <Fact name="Slowest commit">
          {commits.slowest_ms === null
            ? "–"
            : `${commits.slowest_ms.toFixed(1)} ms of the last ${commits.count}`}
        </Fact>
        {views.map(({ name, behind }) => (
          <Fact key={name} name={`View: ${name}`}>
            {behind === 0 ? "up to date" : `${sayCount(behind)} events behind`}
          </Fact>
        ))}
        {files.map(({ name, bytes }) => (
          <Fact key={name} name={name}>
            {sayBytes(bytes)}
          </Fact>
        ))}
        <Fact name="Memory">
          {sayBytes(memory.rss_bytes)}, {sayBytes(memory.heap_bytes)} of it in objects
        </Fact>
        <Fact name="Readers">
          {readers.streams} event streams, {readers.waits} open waits, {readers.searches} searches
        </Fact>
      </dl>
    </HealthCard>
  );
}

/** What is used of what the configuration allows. */
export function LimitsCard({ limits }: { limits: HealthDetails["limits"] }) {
  return (
    <HealthCard title="Limits" about="now, of the most">
      <table className="health-table health-table--limits">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Limit</th>
            <th scope="col">Share</th>
            <th scope="col">Used</th>
          </tr>
        </thead>
        <tbody>
          {limits.map(({ key, label, used, most }) => (
            <tr key={key}>
              <th scope="row">
                {label} <code>{key}</code>
              </th>
              <td className="health-table__bar">
                <UseBar used={used} most={most} />
              </td>
              <td className="health-table__figure figures">
                {sayCount(used)} of {most === 0 ? "any" : sayCount(most)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </HealthCard>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="health-facts__row">
      <dt>{name}</dt>
      <dd className="figures">{children}</dd>
    </div>
  );
}
