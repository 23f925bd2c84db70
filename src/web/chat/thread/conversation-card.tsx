import { ConversationButtons, PauseButton } from "../../network/network-act-buttons.js";
import { PERSON, pairKey } from "../../network/pair.js";
import { useConversation, usePairs } from "../../network/use-network.js";
import { useNetworkActs } from "../../network/use-network-acts.js";

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
  const state = data?.state ?? "open";
  const hops = data?.hops ?? hop;
  if (hops === 0 && state === "open") return null;
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
        <ConversationButtons conversation={{ id: conversation, state }} acts={acts} />
        {between !== undefined && <PauseButton pair={between} isPaused={isPaused} acts={acts} />}
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
