import type { ReactNode } from "react";
import type { HeldList, PairList } from "../../client/hub-client.js";
import { heldReasons } from "../../model/held.js";
import { sayRate } from "../parts/say-rate.js";
import { sayClock } from "../parts/time.js";
import { describeFlow } from "./network-model.js";
import { sayReason } from "./pair-parts.js";
import "./network-figures.css";
import type { Conversation } from "./use-network.js";

type Props = {
  network: PairList;
  at: number;
  held: HeldList | undefined;
  conversations: readonly Conversation[] | undefined;
  isPhone: boolean;
};

/** The whole of it in four numbers. */
export function NetworkFigures({ network, at, held, conversations, isPhone }: Props) {
  const { perMinute, peak, peakMinutesAgo } = describeFlow(network.pairs);
  const { messages, most } = network.unattended;
  const open = conversations?.filter(({ state }) => state === "open").length;
  const paused = conversations?.filter(({ state }) => state === "paused").length ?? 0;
  const peakText = `peak ${peak}${isPhone ? "" : ` at ${sayClock(at - peakMinutesAgo * 60_000)}`}`;
  return (
    <dl className="figures-row">
      <Figure name="Between agents" value={`${sayRate(perMinute)}/min`}>
        {peak === 0 ? "nothing in ten minutes" : peakText}
      </Figure>
      <Figure
        name="Held back"
        value={held === undefined ? "…" : String(held.total)}
        isAmber={(held?.total ?? 0) > 0}
      >
        {sayReasons(held, isPhone)}
      </Figure>
      {!isPhone && (
        <Figure name="Conversations" value={open === undefined ? "…" : `${open + paused} open`}>
          {paused === 0 ? "none waits for you" : `${paused} paused for you`}
        </Figure>
      )}
      <Figure
        name={isPhone ? "Without you" : "Without you this hour"}
        value={isPhone ? String(messages) : `${messages} of ${most}`}
        isAmber={messages >= most}
      >
        {isPhone
          ? `of ${most}/h`
          : messages >= most
            ? "all agent mail waits for a word of yours"
            : "then all agent mail waits"}
      </Figure>
    </dl>
  );
}

function Figure(props: { name: string; value: string; isAmber?: boolean; children: ReactNode }) {
  return (
    <div className="figure">
      <dt className="figure__name">{props.name}</dt>
      <dd className={`figure__value figures ${props.isAmber === true ? "figure__value--amber" : ""}`}>
        {props.value}
      </dd>
      <dd className="figure__more figures">{props.children}</dd>
    </div>
  );
}

/** `1 cooldown · 3 budget · 2 away`; on a phone only the numbers. */
function sayReasons(held: HeldList | undefined, isShort: boolean): string {
  if (held === undefined || held.total === 0) return "nothing waits";
  return heldReasons
    .flatMap((reason) => held.reasons.filter((one) => one.reason === reason))
    .map(({ reason, messages }) => (isShort ? String(messages) : `${messages} ${sayReason(reason, "away")}`))
    .join(" · ");
}
