import { Check, Minus, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { type Peer, usePeers } from "../hub/use-peers.js";
import { Age, Ago } from "../parts/elapsed.js";
import { ShownText } from "../parts/shown-text.js";
import { sayAge, toMs } from "../parts/time.js";
import { HealthCard } from "./health-card.js";

/** Clocks that are this far apart are worth a look. */
const SKEW_MS = 5000;

/** The other hubs: whether each is reached and since when, its clock and version, and what waits for it. */
export function PeersCard() {
  const { data } = usePeers();
  const peers = data?.peers ?? [];
  // Most hubs stand alone.
  if (data === undefined || (peers.length === 0 && data.problem === null)) return null;
  return (
    <HealthCard title="Other hubs" about={peers.length}>
      <ul className="health-list">
        {peers.map((peer) => (
          <PeerRow key={peer.name} peer={peer} />
        ))}
      </ul>
    </HealthCard>
  );
}

function PeerRow({ peer }: { peer: Peer }) {
  const { name, label, host, port, version, waiting, oldest_waiting: oldest } = peer;
  return (
    <li className="health-peer">
      <span className="health-peer__name">
        <ShownText text={name} />
        {label !== null && (
          <span className="health-dim">
            <ShownText text={label} />
          </span>
        )}
        <code className="health-peer__place">
          <ShownText text={host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`} />
        </code>
      </span>
      <Reached peer={peer} />
      <dl className="health-peer__facts figures">
        <Fact name="clock" isOdd={Math.abs(peer.clock_skew_ms ?? 0) >= SKEW_MS}>
          {saySkew(peer.clock_skew_ms)}
        </Fact>
        <Fact name="version">
          {version === null ? peer.kind === "plain" ? "plain daemon" : "–" : <ShownText text={version} />}
        </Fact>
        <Fact name="waiting">
          {waiting}
          {oldest !== null && (
            <>
              , oldest <Ago at={oldest} />
            </>
          )}
        </Fact>
      </dl>
      <Remark peer={peer} />
    </li>
  );
}

function Fact({ name, isOdd = false, children }: { name: string; isOdd?: boolean; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt> <dd className={isOdd ? "health-word--wrong" : undefined}>{children}</dd>
    </div>
  );
}

function Reached({ peer: { reachable, secret, distrusted, reachable_since: since } }: { peer: Peer }) {
  const isBad = reachable === "no" || secret === "wrong" || secret === "missing" || distrusted !== null;
  const icon = isBad ? (
    <TriangleAlert size={13} aria-hidden="true" />
  ) : (
    <Check size={13} aria-hidden="true" />
  );
  const tone = isBad ? "health-word--wrong" : "health-word--well";
  if (reachable === "unknown" && !isBad)
    return (
      <span className="health-word health-peer__reached">
        <Minus size={13} aria-hidden="true" /> not tried yet
      </span>
    );
  return (
    <span className={`health-word health-peer__reached ${tone}`}>
      {icon}{" "}
      {secret === "wrong" ? "wrong secret" : secret === "missing" ? "no secret" : reachedWords[reachable]}
      {since !== null && (
        <span className="health-dim">
          {" "}
          for <Age since={toMs(since)} />
        </span>
      )}
    </span>
  );
}

const reachedWords = { yes: "reached", no: "not reached", unknown: "not tried yet" } as const;

function Remark({ peer: { last_error, distrusted, key, hub_id, key_seen } }: { peer: Peer }) {
  const wrong = distrusted?.message ?? last_error?.message;
  return (
    <>
      {wrong !== undefined && (
        <p className="health-peer__remark">
          <ShownText text={wrong} />
        </p>
      )}
      {key === "first_seen" && (
        <p className="health-peer__remark">
          Key first seen {key_seen !== null && <Ago at={key_seen} />}, not verified: <code>{hub_id}</code>
        </p>
      )}
    </>
  );
}

function saySkew(ms: number | null): string {
  if (ms === null) return "–";
  if (Math.abs(ms) < SKEW_MS) return "same";
  return `${sayAge(Math.abs(ms))} ${ms > 0 ? "ahead" : "behind"}`;
}
