import type { ReactNode } from "react";
import type { PingPong } from "../../model/ping-pong.js";
import { Button } from "../parts/button.js";
import { ShownText } from "../parts/shown-text.js";
import { Budget } from "./conversation-rows.js";
import { HeldUntil } from "./held-list.js";
import { ConversationButtons, PauseButton, ResetButton } from "./network-act-buttons.js";
import { PERSON, pairKey } from "./pair.js";
import "./selection-card.css";
import { PartyTile } from "../parts/party-tile.js";
import { type Conversation, type HeldMessage, type Pair, useConversation } from "./use-network.js";
import type { NetworkActs } from "./use-network-acts.js";
import { WhoToWhom } from "./who.js";

type Common = { acts: NetworkActs; onThread: (message: string) => void };

type PairProps = Common & {
  pair: Pair;
  pingPong: PingPong | undefined;
  /** The newest of it that is held. */
  held: HeldMessage | undefined;
};

/** The pair that is looked at, and what can be done about it. */
export function PairSelection({ pair, pingPong, held, acts, onThread }: PairProps) {
  const { data: conversation } = useConversation(pair.conversation);
  const isPersons = pair.from === PERSON;
  const message = held?.id ?? pair.message;
  return (
    <Card
      label={`${pair.from} to ${pair.to}`}
      head={<WhoToWhom from={pair.from} to={pair.to} />}
      about={conversation != null && conversation.hops > 0 ? <Hop conversation={conversation} /> : undefined}
    >
      <p className="selection__words">
        {pair.paused && (
          <span className="selection__amber">Paused: what comes waits until you resume it. </span>
        )}
        {held !== undefined ? (
          <>
            “<ShownText text={held.text.slice(0, 240)} />” is held <HeldFor held={held} />.
          </>
        ) : pingPong !== undefined ? (
          `They answer each other: ${pingPong.messages} messages in ${pingPong.minutes} minutes.`
        ) : isPersons ? (
          "Your own messages are never held back."
        ) : conversation?.last != null ? (
          <>
            Last: “<ShownText text={conversation.last.text.slice(0, 240)} />”
          </>
        ) : (
          "Nothing of it is held."
        )}
      </p>
      <div className="selection__acts">
        <PauseButton pair={pair} isPaused={pair.paused} disabled={isPersons} acts={acts} />
        <ResetButton pair={pair} disabled={isPersons} acts={acts} />
        {conversation != null && <ConversationButtons conversation={conversation} acts={acts} />}
        {message !== null && (
          <Button size={24} kind="quiet" onClick={() => onThread(message)}>
            Thread
          </Button>
        )}
      </div>
    </Card>
  );
}

/** The conversation that is looked at. */
export function ConversationSelection({
  conversation,
  acts,
  onThread,
}: Common & { conversation: Conversation }) {
  const { participants, first, last, state, held } = conversation;
  const message = last ?? first;
  return (
    <Card
      label="Conversation"
      head={
        <span className="selection__people">
          {participants.slice(0, 6).map((name) => (
            <PartyTile key={name} name={name} />
          ))}
          <span className="selection__names">
            <ShownText text={participants.map((name) => (name === PERSON ? "you" : name)).join(", ")} />
          </span>
        </span>
      }
      about={<Budget conversation={conversation} />}
    >
      <p className="selection__words">
        {state === "paused" && (
          <span className="selection__amber">
            Its budget is used up: {held === 1 ? "1 message waits" : `${held} messages wait`} until you say.{" "}
          </span>
        )}
        {state === "frozen" && (
          <span className="selection__amber">You ended it: agents cannot write in it. </span>
        )}
        {first !== null && (
          <>
            Began with “<ShownText text={first.text.slice(0, 160)} />
            ”.{" "}
          </>
        )}
        {last !== null && last.id !== first?.id && (
          <>
            Last: “<ShownText text={last.text.slice(0, 160)} />”
          </>
        )}
      </p>
      <div className="selection__acts">
        <ConversationButtons conversation={conversation} acts={acts} />
        {message !== null && (
          <Button size={24} kind="quiet" onClick={() => onThread(message.id)}>
            Thread
          </Button>
        )}
      </div>
    </Card>
  );
}

function Hop({ conversation: { hops, hops_most } }: { conversation: Conversation }) {
  return (
    <span className={hops >= hops_most * 0.75 ? "selection__amber" : ""}>
      hop {Math.min(hops, hops_most)} of {hops_most}
    </span>
  );
}

function Card(props: { label: string; head: ReactNode; about: ReactNode; children: ReactNode }) {
  return (
    <section className="selection" aria-label={props.label}>
      <header className="selection__head">
        {props.head}
        {props.about !== undefined && <span className="selection__about figures">{props.about}</span>}
      </header>
      {props.children}
    </section>
  );
}

/** What for, and until when, in a sentence. */
function HeldFor({ held }: { held: HeldMessage }): ReactNode {
  switch (held.reason) {
    case "cooldown":
      return (
        <>
          by its cooldown: <HeldUntil held={held} />
        </>
      );
    case "budget":
      return "until you say: its conversation has used up its budget";
    case "backstop":
      return "until you write to an agent: too many messages without you";
    case "paused":
      return "until you resume the pair";
    case "away":
      return <ShownText text={`until its reader is back: ${held.why ?? "it is away"}`} />;
  }
}

/** The newest held message of each pair. */
export function newestHeld(held: readonly HeldMessage[]): ReadonlyMap<string, HeldMessage> {
  return new Map(held.map((one) => [pairKey(one), one]));
}
