import { X } from "lucide-react";
import { useId, useState } from "react";
import { useCanAct } from "../hub/connection.js";
import { useMessage } from "../hub/use-history.js";
import { Button, IconButton } from "../parts/button.js";
import { EmptyState } from "../parts/empty-state.js";
import { ErrorCard } from "../parts/error-card.js";
import { InlineCode } from "../parts/inline-code.js";
import { ShownText } from "../parts/shown-text.js";
import { Skeleton } from "../parts/skeleton.js";
import { sayClockSeconds, sayWhen, toMs } from "../parts/time.js";
import { hrefOf } from "../shell/places.js";
import { answerRequest, claimRequest, nudgeRequest } from "./request-acts.js";
import { Way } from "./request-card.js";
import { nameOf } from "./request-words.js";
import { TimeLeft } from "./time-left.js";
import { isUnknownRequest, type ShownRequest, useRequest } from "./use-requests.js";
import "./request-panel.css";

/** One request, whole, with what can be done about it. `listed`: as the board has it. */
export function RequestPanel({
  id,
  listed,
  onClose,
}: {
  id: string;
  listed: ShownRequest | undefined;
  onClose: () => void;
}) {
  const { data, error, refetch } = useRequest(id);
  const request = data ?? listed;
  return (
    <div className="request-panel">
      <header className="request-panel__head">
        <h2 className="request-panel__title">Request</h2>
        <IconButton label="Close the request" icon={<X size={16} />} onClick={onClose} />
      </header>
      {request !== undefined ? (
        <Whole request={request} />
      ) : error === null ? (
        <Skeleton lines={6} label="Loading the request" />
      ) : isUnknownRequest(error) ? (
        <EmptyState title="No such request" command="huddle requests">
          It may be too old: only what the hub still keeps can be shown.
        </EmptyState>
      ) : (
        <ErrorCard title="The request could not be loaded" error={error} retry={() => void refetch()} />
      )}
    </div>
  );
}

function Whole({ request }: { request: ShownRequest }) {
  const { request_id, description, context, status } = request;
  return (
    <div className="request-panel__body">
      <Way request={request} />
      <p className="request-panel__text">
        <InlineCode text={description} />
      </p>
      {context !== undefined && (
        <p className="request-panel__text request-panel__text--more">
          <InlineCode text={context} />
        </p>
      )}
      {status === "open" && <TimeLeft request={request} />}
      <Acts key={request_id} request={request} />
      {request.answer !== undefined && <Answer id={request.answer} excerpt={request.answer_text} />}
      <Facts request={request} />
    </div>
  );
}

/** What the person may do: whoever asked cannot claim or answer it, and nobody takes it from somebody who has it. */
function Acts({ request }: { request: ShownRequest }) {
  const { request_id: id, status, from, claimed_by } = request;
  const canAct = useCanAct();
  const [working, setWorking] = useState<string>();
  const isOwn = from === "user";
  const isMine = claimed_by === "user";
  const mayAnswer = !isOwn && (status === "open" || (isMine && status !== "expired"));
  const run = (what: string, act: () => Promise<unknown>) => {
    setWorking(what);
    void act().finally(() => setWorking((now) => (now === what ? undefined : now)));
  };
  const off = !canAct || working !== undefined;
  if (status !== "open" && !mayAnswer) return null;
  return (
    <div className="request-panel__acts">
      {status === "open" && (
        <div className="request-panel__row">
          {!isOwn && (
            <Button
              data-act="claim"
              shortcut="t"
              disabled={off}
              working={working === "claim"}
              onClick={() => run("claim", () => claimRequest(id))}
            >
              Claim it
            </Button>
          )}
          <Button
            data-act="nudge"
            shortcut="m"
            disabled={off}
            working={working === "nudge"}
            onClick={() => run("nudge", () => nudgeRequest(id))}
          >
            Nudge everybody
          </Button>
        </div>
      )}
      {mayAnswer && (
        <AnswerField
          isMore={status === "answered"}
          // A claim that is under way does not keep an answer back.
          off={!canAct || working === "answer"}
          onAnswer={async (text) => {
            setWorking("answer");
            const done = await answerRequest(id, text);
            setWorking(undefined);
            return done;
          }}
        />
      )}
    </div>
  );
}

function AnswerField(props: { isMore: boolean; off: boolean; onAnswer: (text: string) => Promise<boolean> }) {
  const [text, setText] = useState("");
  const id = useId();
  const send = () => {
    if (text.trim() === "" || props.off) return;
    void props.onAnswer(text).then((done) => done && setText(""));
  };
  return (
    <form
      className="request-panel__answer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label htmlFor={id} className="request-panel__label">
        {props.isMore ? "Add to your answer" : "Your answer"}
      </label>
      <textarea
        id={id}
        className="request-panel__field"
        data-answer
        rows={3}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) send();
        }}
      />
      <Button kind="primary" type="submit" disabled={props.off || text.trim() === ""}>
        Answer
      </Button>
    </form>
  );
}

function Answer({ id, excerpt }: { id: string; excerpt: string | undefined }) {
  const { data } = useMessage(id);
  const text = data?.message.content ?? excerpt;
  return (
    <section className="request-panel__part">
      <h3 className="request-panel__label">Answer</h3>
      {text !== undefined && (
        <p className="request-panel__text">
          <InlineCode text={text} />
        </p>
      )}
      <a className="request-panel__link" href={hrefOf({ page: "message", id })}>
        Read it in the chat
      </a>
    </section>
  );
}

function Facts({ request }: { request: ShownRequest }) {
  const { timestamp, claimed_at, answered_at, reopened_at, reopened_from, nudges } = request;
  const facts: readonly (readonly [string, string] | undefined)[] = [
    ["asked", sayWhen(toMs(timestamp), Date.now())],
    ["waits", `${request.timeout_seconds} s to be claimed`],
    nudges === 0 ? undefined : ["nudged", nudges === 1 ? "once" : `${nudges} times`],
    reopened_at === undefined
      ? undefined
      : ["open again", `${sayClockSeconds(toMs(reopened_at))}: ${reopened_from ?? "its claimer"} left`],
    claimed_at === undefined
      ? undefined
      : ["claimed", `${sayClockSeconds(toMs(claimed_at))} by ${nameOf(request.claimed_by ?? "")}`],
    answered_at === undefined ? undefined : ["answered", sayClockSeconds(toMs(answered_at))],
    ["id", request.request_id],
  ];
  return (
    <dl className="request-panel__facts">
      {facts.map(
        (fact) =>
          fact !== undefined && (
            <div key={fact[0]} className="request-panel__fact">
              <dt>{fact[0]}</dt>
              <dd className="figures">
                <ShownText text={fact[1]} />
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
