import { Play, Snowflake } from "lucide-react";
import { hub } from "../hub/hub.js";
import { Button } from "../parts/button.js";
import { ShownText } from "../parts/shown-text.js";
import { hrefOf } from "../shell/places.js";
import type { FactsAbout } from "./facts-about.js";
import { NeedCard } from "./need-card.js";
import type { ShownNeed } from "./shown-needs.js";
import { useAct } from "./use-act.js";
import { useSteady } from "./use-steady.js";

/** Agents that answered each other for so long that their mail waits. */
export function ConversationCard({ shown, facts }: { shown: ShownNeed; facts: FactsAbout<"conversation"> }) {
  const { id } = shown.need;
  const act = useAct();
  const { click, canAct } = useSteady();
  const { participants, hops, hops_most, messages, messages_most, held, first, last } = facts;
  const decide = (decision: "continue" | "freeze") =>
    void act.run(decision, () => hub.decideConversation(id, decision));
  const props = (what: string) => ({ working: act.isWorking(what), disabled: act.isBusy || !canAct });
  const isByHops = hops >= hops_most;
  return (
    <NeedCard
      shown={shown}
      who={participants.slice(0, 5)}
      says={{ name: "Conversation paused", what: sayRing(participants) }}
      failed={act.state}
      actions={
        <>
          <Button {...props("continue")} icon={<Play size={14} />} onClick={click(() => decide("continue"))}>
            Continue, {isByHops ? `${hops_most} more` : `${messages_most} more messages`}
          </Button>
          <Button {...props("freeze")} icon={<Snowflake size={14} />} onClick={click(() => decide("freeze"))}>
            Freeze
          </Button>
          {first !== null && (
            <a className="need__link" href={hrefOf({ page: "message", id: last?.id ?? first.id })}>
              Read it
            </a>
          )}
        </>
      }
    >
      <p className="need__meter figures">
        <meter
          className="meter"
          min={0}
          max={isByHops ? hops_most : messages_most}
          value={Math.min(isByHops ? hops : messages, isByHops ? hops_most : messages_most)}
          aria-label="Of what they may answer each other without you"
        />
        <span className="need__amber">
          {isByHops
            ? `${Math.min(hops, hops_most)} of ${hops_most} hops`
            : `${messages} of ${messages_most} messages`}
        </span>
        <span>{isByHops ? `${messages} messages` : `${hops} hops`}</span>
        <span>{held} held</span>
      </p>
      <p className="need__words">
        {first !== null && <Words before="began with" message={first} />}{" "}
        {last !== null && last.id !== first?.id && <Words before="last, held" message={last} />}
      </p>
    </NeedCard>
  );
}

export function Words({
  before,
  message,
}: {
  before?: string;
  message: { text: string; cut?: true | undefined };
}) {
  return (
    <>
      {before !== undefined && <span className="need__dim">{before} </span>}“<ShownText text={message.text} />
      {message.cut === true && <span className="need__dim"> and more</span>}”
    </>
  );
}

function sayRing(names: readonly string[]): string {
  const all = names.map((name) => (name === "user" ? "you" : name));
  const last = all.at(-1) ?? "agents";
  if (all.length < 2) return `${last} goes on by itself`;
  return `${all.slice(0, -1).join(", ")} and ${last} answer each other${all.length > 2 ? " in a ring" : ""}`;
}
