import { Users } from "lucide-react";
import { Monogram } from "../../parts/monogram.js";
import { StatusGlyph, StatusLine } from "../../parts/status-glyph.js";
import { toMs } from "../../parts/time.js";
import { type Recipient, sayBriefly } from "./outlook.js";

export type Choice = Recipient | { name: "all"; count: number };

type Props = {
  id: string;
  choices: readonly Choice[];
  active: number;
  onChoose: (choice: Choice) => void;
};

/** Who a message can go to, and what will happen to it there. */
export function RecipientList({ id, choices, active, onChoose }: Props) {
  return (
    <div id={id} className="recipients" role="listbox" aria-label="Recipients">
      {choices.map((choice, at) => (
        <div
          key={choice.name}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          className="recipients__row"
          // Before the focus moves: the writer goes on writing.
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(choice);
          }}
        >
          {"count" in choice ? <AllRow count={choice.count} /> : <AgentRow agent={choice} />}
        </div>
      ))}
    </div>
  );
}

function AgentRow({ agent }: { agent: Recipient }) {
  const brief = sayBriefly(agent);
  return (
    <>
      <Monogram name={agent.name} size={18} />
      <span className="recipients__name">{agent.name}</span>
      <span className="recipients__backend">{agent.backend}</span>
      <span className="recipients__outlook">
        {brief === undefined ? (
          <StatusLine status={agent.state} since={toMs(agent.since)} />
        ) : (
          <>
            <StatusGlyph status={agent.paused === true ? "paused" : agent.state} /> {brief}
          </>
        )}
      </span>
    </>
  );
}

function AllRow({ count }: { count: number }) {
  return (
    <>
      <span className="recipients__all">
        <Users size={12} aria-hidden="true" />
      </span>
      <span className="recipients__name">all</span>
      <span className="recipients__backend">broadcast</span>
      <span className="recipients__outlook">
        {count} agent{count === 1 ? "" : "s"}, asks first
      </span>
    </>
  );
}
