import { CornerDownLeft } from "lucide-react";
import { type KeyboardEvent, useId, useState } from "react";
import { hub } from "../hub/hub.js";
import { Button } from "../parts/button.js";
import { ShownText } from "../parts/shown-text.js";
import { hrefOf } from "../shell/places.js";
import { Words } from "./conversation-card.js";
import type { FactsAbout } from "./facts-about.js";
import { NeedCard } from "./need-card.js";
import type { ShownNeed } from "./shown-needs.js";
import { useAct } from "./use-act.js";
import { useSteady } from "./use-steady.js";

/** A message to the person, with a place for the answer. */
export function QuestionCard({ shown, facts }: { shown: ShownNeed; facts: FactsAbout<"message"> }) {
  const { id, agent, text } = shown.need;
  const act = useAct();
  const { click, canAct } = useSteady();
  const [reply, setReply] = useState("");
  const field = useId();
  const name = agent ?? facts.from;
  const canSend = reply.trim() !== "" && canAct && !act.isBusy;
  const send = () => {
    if (canSend) void act.run("reply", () => hub.send(name, { message: reply, reply_to: id }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <NeedCard
      shown={shown}
      who={[name]}
      says={{ name, what: /\?\s*$/.test(text) ? "asks you" : "wrote to you" }}
      failed={act.state}
      actions={
        <div className="need__reply">
          <label className="visually-hidden" htmlFor={field}>
            Reply to {name}
          </label>
          <textarea
            id={field}
            className="need__field"
            rows={Math.min(8, reply.split("\n").length)}
            placeholder={`Reply to ${name}…`}
            value={reply}
            data-reply
            disabled={act.isBusy}
            onChange={(event) => setReply(event.target.value)}
            onKeyDown={onKeyDown}
          />
          <Button
            kind={canSend ? "primary" : "rest"}
            icon={<CornerDownLeft size={14} />}
            working={act.isWorking("reply")}
            disabled={!canSend}
            onClick={send}
          >
            Reply
          </Button>
          <Button
            kind="quiet"
            working={act.isWorking("ack")}
            disabled={act.isBusy || !canAct}
            onClick={click(() => void act.run("ack", () => hub.ack([id])))}
          >
            Mark as read
          </Button>
          <a className="need__link" href={hrefOf({ page: "message", id })}>
            Open
          </a>
        </div>
      }
    >
      {facts.answers !== undefined && (
        <p className="need__words need__quoted">
          <Words before="in reply to your" message={facts.answers} />
        </p>
      )}
      <p className="need__message">
        <ShownText text={text} />
      </p>
      {facts.context !== undefined && (
        <p className="need__words">
          <span className="need__dim">context </span>
          <ShownText text={facts.context} />
        </p>
      )}
    </NeedCard>
  );
}
