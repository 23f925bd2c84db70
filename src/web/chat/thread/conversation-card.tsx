import { useQuery } from "@tanstack/react-query";
import { Play, Snowflake } from "lucide-react";
import { hub, queries } from "../../hub/hub.js";
import { Button } from "../../parts/button.js";
import { sayWhy } from "../../parts/error-card.js";
import { showToast } from "../../parts/toast-store.js";

type Props = { conversation: string; hop: number };

const states = ["open", "paused", "frozen"] as const;

/** How much of its budget the conversation has used, and what the person can do about it. */
export function ConversationCard({ conversation, hop }: Props) {
  const { data } = useQuery({
    queryKey: ["conversation", conversation, hop],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(states.map((state) => hub.conversations({ state }, { signal })));
      return (
        lists.flatMap(({ conversations }) => conversations).find(({ id }) => id === conversation) ?? null
      );
    },
  });
  const state = data?.state ?? "open";
  const hops = data?.hop ?? hop;
  if (hops === 0 && state === "open") return null;
  const decide = (decision: "continue" | "freeze", done: string) =>
    hub.decideConversation(conversation, decision).then(
      () => {
        showToast({ tone: "done", title: done });
        void queries.invalidateQueries({ queryKey: ["conversation", conversation] });
      },
      (error: unknown) => showToast({ tone: "failed", title: "Nothing was changed", text: sayWhy(error) }),
    );
  return (
    <div className={`conversation conversation--${state}`}>
      <p className="conversation__head">
        <strong>This conversation</strong>
        <span>
          {hops} hop{hops === 1 ? "" : "s"}
          {data == null ? "" : ` · ${data.messages} messages`}
        </span>
      </p>
      <p className="conversation__text">{words[state]}</p>
      <div className="conversation__acts">
        {state === "open" ? null : (
          <Button
            size={24}
            icon={<Play size={12} />}
            onClick={() => void decide("continue", "The conversation goes on")}
          >
            Let it go on
          </Button>
        )}
        {state === "frozen" ? null : (
          <Button
            size={24}
            icon={<Snowflake size={12} />}
            onClick={() => void decide("freeze", "The conversation is frozen")}
          >
            Freeze
          </Button>
        )}
      </div>
    </div>
  );
}

const words = {
  open: "At the end of its budget the hub holds what follows and asks you.",
  paused: "Its budget is used up: what follows is held until you let it go on.",
  frozen: "You ended it: agents cannot write in it.",
} as const;
