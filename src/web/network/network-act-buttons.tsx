import { Pause, Play, RotateCcw, Snowflake } from "lucide-react";
import type { ReactNode } from "react";
import { useCanAct } from "../hub/connection.js";
import { Button } from "../parts/button.js";
import type { NetworkActs } from "./use-network-acts.js";

/* What the person can do about a conversation or a pair, wherever one is shown. One act at a time. */

type Ends = { from: string; to: string };

export function ConversationButtons({
  conversation,
  acts,
}: {
  conversation: { id: string; state: "open" | "paused" | "frozen" };
  acts: NetworkActs;
}) {
  const { id, state } = conversation;
  return (
    <>
      {state !== "open" && (
        <ActButton
          acts={acts}
          act="continue"
          icon={<Play size={12} />}
          onClick={() => acts.decideConversation(id, "continue")}
        >
          Continue conversation
        </ActButton>
      )}
      {state !== "frozen" && (
        <ActButton
          acts={acts}
          act="freeze"
          icon={<Snowflake size={12} />}
          onClick={() => acts.decideConversation(id, "freeze")}
        >
          Freeze conversation
        </ActButton>
      )}
    </>
  );
}

/** The person's own mail is never held back: there is nothing to pause. */
export function PauseButton({
  pair,
  isPaused,
  disabled = false,
  acts,
}: {
  pair: Ends;
  isPaused: boolean;
  disabled?: boolean;
  acts: NetworkActs;
}) {
  const act = isPaused ? "resume" : "pause";
  return (
    <ActButton
      acts={acts}
      act={act}
      disabled={disabled}
      icon={isPaused ? <Play size={12} /> : <Pause size={12} />}
      title={`What ${pair.from} writes to ${pair.to}`}
      onClick={() => acts.decidePair(pair, act)}
    >
      {isPaused ? "Resume pair" : "Pause pair"}
    </ActButton>
  );
}

export function ResetButton({ pair, disabled, acts }: { pair: Ends; disabled: boolean; acts: NetworkActs }) {
  return (
    <ActButton
      acts={acts}
      act="reset"
      disabled={disabled}
      icon={<RotateCcw size={12} />}
      onClick={() => acts.decidePair(pair, "reset")}
    >
      Reset backoff
    </ActButton>
  );
}

type ActProps = {
  acts: NetworkActs;
  act: NonNullable<NetworkActs["working"]>;
  icon: ReactNode;
  disabled?: boolean;
  title?: string;
  onClick: () => void;
  children: ReactNode;
};

function ActButton({ acts, act, icon, disabled = false, title, onClick, children }: ActProps) {
  const canAct = useCanAct();
  return (
    <Button
      size={24}
      icon={icon}
      title={title}
      disabled={disabled || !canAct || acts.working !== undefined}
      working={acts.working === act}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
