import { useQuery } from "@tanstack/react-query";
import { ArrowRight, Play } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useCanAct } from "../hub/connection.js";
import { hub, queries } from "../hub/hub.js";
import { useAgents } from "../hub/use-agents.js";
import { Button } from "../parts/button.js";
import { sayWhy } from "../parts/error-card.js";
import { Monogram } from "../parts/monogram.js";
import { ShownText } from "../parts/shown-text.js";
import { showToast } from "../parts/toast-store.js";
import { hrefOf } from "../shell/places.js";
import { HealthCard } from "./health-card.js";

/** What stands still until somebody lets it go on: agents, pairs, conversations. */
export function PausedCard() {
  const agents = useAgents().filter(({ paused }) => paused === true);
  const { data } = useQuery({
    queryKey: ["pauses"],
    queryFn: async ({ signal }) => {
      const [{ pairs }, { conversations }] = await Promise.all([
        hub.pairs({ signal }),
        hub.conversations({ state: "paused" }, { signal }),
      ]);
      return { pairs: pairs.filter(({ paused }) => paused), conversations };
    },
  });
  const pairs = data?.pairs ?? [];
  const conversations = data?.conversations ?? [];
  const count = agents.length + pairs.length + conversations.length;
  return (
    <HealthCard title="Paused" about={count === 0 ? "nothing" : count}>
      {count === 0 && (
        <p className="health-note">Agents, pairs and conversations that you paused stand here.</p>
      )}
      <ul className="health-list">
        {agents.map(({ id, name }) => (
          <PausedRow key={id} done={`${name} goes on`} act={() => hub.resume(id)}>
            <Monogram name={name} size={18} />
            <a href={hrefOf({ page: "agent", name })}>
              <ShownText text={name} />
            </a>
            <span className="health-dim">agent</span>
          </PausedRow>
        ))}
        {pairs.map(({ from, to, held }) => (
          <PausedRow
            key={`${from} ${to}`}
            done={`${from} can write to ${to} again`}
            act={() => hub.decidePair(from, to, "resume")}
          >
            <Monogram name={from} size={18} /> <ShownText text={from} />
            <ArrowRight size={12} role="img" aria-label="to" />
            <Monogram name={to} size={18} /> <ShownText text={to} />
            <span className="health-dim">{held} held</span>
          </PausedRow>
        ))}
        {conversations.map(({ id, messages }) => (
          <PausedRow
            key={id}
            done="The conversation goes on"
            act={() => hub.decideConversation(id, "continue")}
          >
            <a href={hrefOf({ page: "network", id })}>
              conversation <code>{id.slice(-8)}</code>
            </a>
            <span className="health-dim">{messages} messages, its budget is used up</span>
          </PausedRow>
        ))}
      </ul>
    </HealthCard>
  );
}

function PausedRow(props: { done: string; act: () => Promise<unknown>; children: ReactNode }) {
  const [isWorking, setWorking] = useState(false);
  const canAct = useCanAct();
  async function resume(): Promise<void> {
    setWorking(true);
    try {
      await props.act();
      showToast({ tone: "done", title: props.done });
      void queries.invalidateQueries({ queryKey: ["pauses"] });
    } catch (error) {
      showToast({ tone: "failed", title: "Nothing was changed", text: sayWhy(error) });
    } finally {
      setWorking(false);
    }
  }
  return (
    <li className="health-paused">
      {props.children}
      <Button
        size={24}
        icon={<Play size={12} />}
        working={isWorking}
        disabled={!canAct}
        onClick={() => void resume()}
      >
        Resume
      </Button>
    </li>
  );
}
