import { useId, useState } from "react";
import { useCanAct } from "../hub/connection.js";
import { hub } from "../hub/hub.js";
import { refreshLater } from "../hub/refresh-later.js";
import { useAgentIds } from "../hub/use-agents.js";
import { useAsked } from "../parts/ask.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { ShownText } from "../parts/shown-text.js";
import { goTo } from "../shell/places.js";
import { useKeys } from "../shell/use-keys.js";
import "../spawn/new-agent.css";
import { Row } from "../spawn/spawn-fields.js";

const times = [
  { seconds: 60, label: "1 minute" },
  { seconds: 300, label: "5 minutes" },
  { seconds: 1800, label: "30 minutes" },
  { seconds: 7200, label: "2 hours" },
] as const;

/** Asks every agent for help. */
export function PostRequest({ onClose }: { onClose: () => void }) {
  const [description, setDescription] = useState("");
  const [context, setContext] = useState("");
  const [seconds, setSeconds] = useState(300);
  const canAct = useCanAct();
  const agents = useAgentIds().length;
  const ids = useId();
  const post = async () => {
    const { request_id } = await hub.openRequest({
      description,
      timeout_seconds: seconds,
      ...(context.trim() === "" ? {} : { context }),
    });
    refreshLater(["requests", "open"]);
    goTo({ page: "requests", id: request_id });
  };
  const { run, isRunning, error } = useAsked(post, "All agents are asked", onClose);
  const isReady = description.trim() !== "" && canAct && !isRunning;
  useKeys(
    "Post a request",
    [
      { keys: "mod+Enter", label: "post", whileWriting: true, act: () => isReady && run() },
      { keys: "Escape", label: "close", whileWriting: true, act: onClose },
    ],
    { inDialog: true },
  );
  return (
    <Dialog
      title="Post a request"
      onClose={onClose}
      footer={
        <>
          <span className="spawn__foot">
            {agents === 1 ? "One agent is asked" : `All ${agents} agents are asked`}; the first to claim it
            has it.
          </span>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" working={isRunning} disabled={!isReady} onClick={run}>
            Post
          </Button>
        </>
      }
    >
      <div className="dialog__body spawn">
        <Row label="What is needed" htmlFor={`${ids}-what`}>
          <textarea
            id={`${ids}-what`}
            className="spawn__input spawn__message"
            data-autofocus
            rows={3}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        </Row>
        <Row label="What is known" htmlFor={`${ids}-known`}>
          <textarea
            id={`${ids}-known`}
            className="spawn__input spawn__message"
            placeholder="Optional: files, findings, what was tried"
            rows={3}
            value={context}
            onChange={(event) => setContext(event.target.value)}
          />
        </Row>
        <Row label="Waits" htmlFor={`${ids}-time`}>
          <select
            id={`${ids}-time`}
            className="spawn__input"
            value={seconds}
            onChange={(event) => setSeconds(Number(event.target.value))}
          >
            {times.map((time) => (
              <option key={time.seconds} value={time.seconds}>
                {time.label}
              </option>
            ))}
          </select>
          <p className="spawn__hint">
            Unclaimed until then, it expires and you are told. At half of the time everybody is reminded once.
          </p>
          {error !== undefined && (
            <p className="spawn__hint spawn__hint--wrong" role="alert">
              <ShownText text={error} />
            </p>
          )}
        </Row>
      </div>
    </Dialog>
  );
}
