import { Square, SquareTerminal } from "lucide-react";
import { useState } from "react";
import { hub } from "../hub/hub.js";
import { Button } from "../parts/button.js";
import { Chip } from "../parts/chip.js";
import { ShownText } from "../parts/shown-text.js";
import { StatusGlyph } from "../parts/status-glyph.js";
import { sayAge, sayClock, sayClockSeconds, toMs } from "../parts/time.js";
import { useNow } from "../parts/use-now.js";
import { hrefOf } from "../shell/places.js";
import type { FactsAbout } from "./facts-about.js";
import { NeedCard } from "./need-card.js";
import type { ShownNeed } from "./shown-needs.js";
import { useAct } from "./use-act.js";
import { useSteady } from "./use-steady.js";

/** An agent that does not get on: it says nothing in its turn, or its vendor's limit is reached. */
export function AgentCard({ shown, facts }: { shown: ShownNeed; facts: FactsAbout<"agent"> }) {
  const { agent, kind, expires } = shown.need;
  const act = useAct();
  const { click, canAct } = useSteady();
  const [asks, setAsks] = useState<"nothing" | "interrupt" | "kill">("nothing");
  const now = useNow();
  const name = agent ?? "";
  const isStalled = kind === "stalled";
  const what = isStalled
    ? `has said nothing for ${sayAge(now - toMs(facts.last_active))}${facts.turn_since === null ? "" : ` in a turn of ${sayAge(now - toMs(facts.turn_since))}`}`
    : `reached a usage limit${expires === null ? "" : `, until ${sayClock(toMs(expires))}`}`;
  return (
    <NeedCard
      shown={shown}
      who={[name]}
      says={{ name, what }}
      aside={
        <Chip
          tone={isStalled ? "red" : "amber"}
          icon={<StatusGlyph status={isStalled ? "stalled" : "limited"} />}
        >
          {isStalled ? "stalled" : "usage limit"}
        </Chip>
      }
      failed={act.state}
      actions={
        asks === "interrupt" ? (
          <Interrupt name={name} act={act} canAct={canAct} onBack={() => setAsks("nothing")} />
        ) : asks === "kill" ? (
          <>
            <span className="need__dim">Its processes end at once, and its mail comes back.</span>
            <Button
              kind="danger"
              working={act.isWorking("kill")}
              disabled={act.isBusy || !canAct}
              onClick={click(() => void act.run("kill", () => hub.kill(facts.id)))}
            >
              Kill {name}
            </Button>
            <Button kind="quiet" onClick={() => setAsks("nothing")}>
              Back
            </Button>
          </>
        ) : (
          <>
            <a className="button button--rest button--28" href={hrefOf({ page: "agent", name })}>
              <SquareTerminal size={14} aria-hidden="true" />
              {facts.pane === null ? "Look at it" : "Look at its screen"}
            </a>
            {isStalled && (
              <Button
                icon={<Square size={14} />}
                disabled={act.isBusy || !canAct}
                onClick={click(() => setAsks("interrupt"))}
              >
                Interrupt
              </Button>
            )}
            <Button kind="danger" disabled={act.isBusy || !canAct} onClick={click(() => setAsks("kill"))}>
              Kill
            </Button>
          </>
        )
      }
    >
      <p className="need__words">
        <span className="need__dim">Last sign </span>
        {sayClockSeconds(toMs(facts.last_active))}. <ShownText text={facts.evidence} />{" "}
        <span className="need__dim">
          {[facts.backend, facts.runtime].filter((word) => word !== null).join(" in ")}
          {facts.pane !== null && ` ${facts.pane.session}`}
        </span>
      </p>
    </NeedCard>
  );
}

/** A turn is cut by a message that says what to do instead. */
function Interrupt(props: {
  name: string;
  act: ReturnType<typeof useAct>;
  canAct: boolean;
  onBack: () => void;
}) {
  const [text, setText] = useState("Stop what you are doing, and tell me where you are.");
  const { act, name } = props;
  const send = () =>
    void act.run("interrupt", () => hub.send(name, { message: text, attention: "interrupt" }), {
      stays: true,
    });
  return (
    <div className="need__reply">
      <textarea
        className="need__field"
        rows={1}
        aria-label={`What ${name} reads when its turn is cut`}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button
        kind="primary"
        working={act.isWorking("interrupt")}
        disabled={text.trim() === "" || act.isBusy || !props.canAct}
        onClick={send}
      >
        Cut its turn and send
      </Button>
      <Button kind="quiet" onClick={props.onBack}>
        Back
      </Button>
    </div>
  );
}
