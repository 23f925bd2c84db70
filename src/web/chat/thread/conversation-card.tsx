import { Pause, Play, Snowflake } from "lucide-react";
import { useCanAct } from "../../hub/connection.js";
import { PERSON, pairKey } from "../../network/pair.js";
import { useConversation, usePairs } from "../../network/use-network.js";
import { useNetworkActs } from "../../network/use-network-acts.js";
import { Button } from "../../parts/button.js";

type Props = {
  conversation: string;
  hop: number;
  /** The two who wrote to each other last, if both are agents. */
  pair: { from: string; to: string } | undefined;
};

/** How much of its budget the conversation has used, and what the person can do about it, or about those who write in it. */
export function ConversationCard({ conversation, hop, pair }: Props) {
  const { data } = useConversation(conversation);
  const { data: network } = usePairs();
  const acts = useNetworkActs();
  const canAct = useCanAct();
  const state = data?.state ?? "open";
  const hops = data?.hops ?? hop;
  if (hops === 0 && state === "open") return null;
  const off = !canAct || acts.working !== undefined;
  const between = pair === undefined || pair.from === PERSON || pair.to === PERSON ? undefined : pair;
  const isPaused =
    between !== undefined &&
    network?.pairs.some((one) => one.paused && pairKey(one) === pairKey(between)) === true;
  return (
    <div className={`conversation conversation--${state}`}>
      <p className="conversation__head">
        <strong>This conversation</strong>
        <span>
          {data == null ? sayHops(hops) : `hop ${Math.min(hops, data.hops_most)} of ${data.hops_most}`}
        </span>
      </p>
      <p className="conversation__text">{words[state]}</p>
      <div className="conversation__acts">
        {state !== "open" && (
          <Button
            size={24}
            icon={<Play size={12} />}
            disabled={off}
            working={acts.working === "continue"}
            onClick={() => acts.decideConversation(conversation, "continue")}
          >
            Let it go on
          </Button>
        )}
        {state !== "frozen" && (
          <Button
            size={24}
            icon={<Snowflake size={12} />}
            disabled={off}
            working={acts.working === "freeze"}
            onClick={() => acts.decideConversation(conversation, "freeze")}
          >
            Freeze
          </Button>
        )}
        {between !== undefined && (
          <Button
            size={24}
            icon={isPaused ? <Play size={12} /> : <Pause size={12} />}
            disabled={off}
            title={`What ${between.from} writes to ${between.to}`}
            working={acts.working === "pause" || acts.working === "resume"}
            onClick={() => acts.decidePair(between, isPaused ? "resume" : "pause")}
          >
            {isPaused ? "Resume pair" : "Pause pair"}
          </Button>
        )}
      </div>
    </div>
  );
}

function sayHops(hops: number): string {
  return hops === 1 ? "1 hop" : `${hops} hops`;
}

const words = {
  open: "At the end of its budget the hub holds what follows and asks you.",
  paused: "Its budget is used up: what follows is held until you let it go on.",
  frozen: "You ended it: agents cannot write in it.",
} as const;
