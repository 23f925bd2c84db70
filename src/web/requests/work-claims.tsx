import { X } from "lucide-react";
import { useState } from "react";
import { useCanAct } from "../hub/connection.js";
import { hub } from "../hub/hub.js";
import { refreshLater } from "../hub/refresh-later.js";
import { Ask } from "../parts/ask.js";
import { IconButton } from "../parts/button.js";
import { PartyTile } from "../parts/party-tile.js";
import { SegmentBar } from "../parts/segment-bar.js";
import { ShownText } from "../parts/shown-text.js";
import { toMs } from "../parts/time.js";
import { useNow } from "../parts/use-now.js";
import { nameOf } from "./request-words.js";
import type { useClaims } from "./use-requests.js";

type Claim = NonNullable<ReturnType<typeof useClaims>["data"]>[number];

/** Who said to be on what, until the lease ends. */
export function WorkClaims({ claims }: { claims: readonly Claim[] }) {
  const [asked, setAsked] = useState<Claim>();
  return (
    <section className="below__part" aria-labelledby="claims-title">
      <h2 className="below__title" id="claims-title">
        Work claims <span className="below__count figures">{claims.length}</span>
        <span className="below__about">who is on what, until the lease ends</span>
      </h2>
      {claims.length === 0 ? (
        <p className="below__none">
          Nobody says that they are on something. Agents do with the tool <code>claim_work</code>.
        </p>
      ) : (
        <ul className="claims">
          {claims.map((claim) => (
            <ClaimCard key={claim.task} claim={claim} onRelease={() => setAsked(claim)} />
          ))}
        </ul>
      )}
      {asked !== undefined && (
        <Ask
          title="Release this work?"
          button="Release"
          act={() =>
            hub.claimWork({ task: asked.task, action: "release" }).finally(() => refreshLater(["claims"]))
          }
          done="Released"
          onClose={() => setAsked(undefined)}
        >
          “{asked.task}” is free for others at once. {nameOf(asked.owner)} is not interrupted.
        </Ask>
      )}
    </section>
  );
}

function ClaimCard({ claim, onRelease }: { claim: Claim; onRelease: () => void }) {
  const canAct = useCanAct();
  return (
    <li className="claim">
      <PartyTile name={claim.owner} />
      <span className="claim__owner">
        <ShownText text={nameOf(claim.owner)} />
      </span>
      <span className="claim__task" title={claim.task}>
        <ShownText text={claim.task} />
      </span>
      <LeaseLeft claim={claim} />
      <IconButton
        className="claim__release"
        label={`Release “${claim.task}”`}
        icon={<X size={13} />}
        disabled={!canAct}
        onClick={onRelease}
      />
    </li>
  );
}

function LeaseLeft({ claim }: { claim: Claim }) {
  const now = useNow();
  const left = Math.max(0, claim.endsAt - now);
  const whole = Math.max(1, claim.endsAt - toMs(claim.since));
  const isLate = left < Math.min(180_000, whole / 4);
  return (
    <span className={`claim__left figures ${isLate ? "claim__left--late" : ""}`}>
      <SegmentBar width={36} segments={[{ tone: isLate ? "amber" : "grey", part: left / whole }]} />
      {left < 60_000 ? `${Math.ceil(left / 1000)} s left` : `${Math.round(left / 60_000)} min left`}
    </span>
  );
}
