import { useState } from "react";
import { hub } from "../hub/hub.js";
import { useAgents } from "../hub/use-agents.js";
import { Button } from "../parts/button.js";
import { Chip } from "../parts/chip.js";
import { ShownText } from "../parts/shown-text.js";
import { hrefOf } from "../shell/places.js";
import { Words } from "./conversation-card.js";
import type { FactsAbout } from "./facts-about.js";
import { NeedCard } from "./need-card.js";
import type { ShownNeed } from "./shown-needs.js";
import { useAct } from "./use-act.js";
import { useSteady } from "./use-steady.js";

/** A message of the person's that came back unread. */
export function BounceCard({ shown, facts }: { shown: ShownNeed; facts: FactsAbout<"bounce"> }) {
  const { id } = shown.need;
  const act = useAct();
  const { click, canAct } = useSteady();
  const [isChoosing, setChoosing] = useState(false);
  const { to, reason, message } = facts;
  const sendTo = (other: string) =>
    void act.run("send", async () => {
      // What is shown may be shortened; what is sent again is not.
      const whole = await hub.messageStatus(facts.id);
      await hub.send(other, { message: whole.message.content });
      await hub.ack([id]);
    });
  return (
    <NeedCard
      shown={shown}
      who={[to]}
      says={{ name: "You", what: `wrote to ${to}, which did not read it` }}
      aside={<Chip tone="red">bounced</Chip>}
      failed={act.state}
      actions={
        <>
          {isChoosing ? (
            <OtherAgent
              except={to}
              disabled={act.isBusy || !canAct}
              onChoose={sendTo}
              onBack={() => setChoosing(false)}
            />
          ) : (
            message !== null && (
              <Button
                working={act.isWorking("send")}
                disabled={act.isBusy || !canAct}
                onClick={click(() => setChoosing(true))}
              >
                Send to another agent…
              </Button>
            )
          )}
          <Dismiss id={id} act={act} />
        </>
      }
    >
      <p className="need__words">
        {message !== null && <Words message={message} />} <span className="need__dim">{reason}</span>
      </p>
    </NeedCard>
  );
}

/** Anything else that the hub tells the person. */
export function NoticeCard({ shown, facts }: { shown: ShownNeed; facts?: FactsAbout<"notice"> | undefined }) {
  const act = useAct();
  const { id, text, agent } = shown.need;
  const about = facts?.agent ?? agent ?? undefined;
  return (
    <NeedCard
      shown={shown}
      who={about === undefined ? [] : [about]}
      says={{ name: about ?? "The hub", what: notices[facts?.notice ?? ""] ?? "tells you" }}
      failed={act.state}
      actions={
        <>
          {about !== undefined && (
            <a className="button button--rest button--28" href={hrefOf({ page: "agent", name: about })}>
              Look at {about}
            </a>
          )}
          <Dismiss id={id} act={act} />
        </>
      }
    >
      <p className="need__message">
        <ShownText text={text} />
      </p>
    </NeedCard>
  );
}

const notices: Readonly<Record<string, string>> = {
  failure: "failed",
  death: "is not heard of any more",
  denied: "was not let do something",
  limit: "reached a usage limit",
  held: "does not take its mail",
  mixed: "got mail together with what you typed",
  expired: "did not answer in time",
  task: "ended a task",
  ask: "asks you",
};

function Dismiss({ id, act }: { id: string; act: ReturnType<typeof useAct> }) {
  const { click, canAct } = useSteady();
  return (
    <Button
      kind="quiet"
      working={act.isWorking("ack")}
      disabled={act.isBusy || !canAct}
      onClick={click(() => void act.run("ack", () => hub.ack([id])))}
    >
      Dismiss
    </Button>
  );
}

function OtherAgent(props: {
  except: string;
  disabled: boolean;
  onChoose: (name: string) => void;
  onBack: () => void;
}) {
  const others = useAgents().filter(({ name }) => name !== props.except);
  if (others.length === 0) return <span className="need__dim">Nobody else is there.</span>;
  return (
    <>
      <select
        className="need__select"
        aria-label="To whom"
        disabled={props.disabled}
        defaultValue=""
        onChange={(event) => props.onChoose(event.target.value)}
      >
        <option value="" disabled>
          To whom?
        </option>
        {others.map(({ id, name }) => (
          <option key={id} value={name}>
            {name}
          </option>
        ))}
      </select>
      <Button kind="quiet" onClick={props.onBack}>
        Back
      </Button>
    </>
  );
}
