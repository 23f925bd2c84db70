import { memo } from "react";
import { Chip } from "../parts/chip.js";
import { PartyTile } from "../parts/party-tile.js";
import { ShownText } from "../parts/shown-text.js";
import { nearestBudget } from "./network-model.js";
import { PERSON } from "./pair.js";
import type { Conversation } from "./use-network.js";

type Props = {
  conversations: readonly Conversation[];
  selected: string | undefined;
  onSelect: (id: string) => void;
};

/** Who answer each other, and how much of their budget they have used. */
export function ConversationRows({ conversations, selected, onSelect }: Props) {
  if (conversations.length === 0) return null;
  return (
    <section className="network-list">
      <h2 className="network-list__head">
        Conversations <span className="network-list__count figures">{conversations.length}</span>
      </h2>
      <table className="network-list__table network-list__table--talks">
        <colgroup>
          <col className="network-list__col-who" />
          <col className="network-list__col-text" />
          <col className="network-list__col-why" />
          <col className="network-list__col-until" />
        </colgroup>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Who</th>
            <th scope="col">Began with</th>
            <th scope="col">Held</th>
            <th scope="col">Budget</th>
          </tr>
        </thead>
        <tbody>
          {conversations.map((one) => (
            <ConversationRow
              key={one.id}
              conversation={one}
              isSelected={one.id === selected}
              onSelect={onSelect}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const MOST_TILES = 4;

const ConversationRow = memo(function ConversationRow(props: {
  conversation: Conversation;
  isSelected: boolean;
  onSelect: (id: string) => void;
}) {
  const { conversation, isSelected, onSelect } = props;
  const { id, participants, first, state, held } = conversation;
  const agents = participants.filter((name) => name !== PERSON);
  return (
    <tr
      className={`network-list__row ${isSelected ? "network-list__row--selected" : ""}`}
      data-conversation={id}
    >
      <td className="network-list__who">
        <button
          type="button"
          className="network-list__pick"
          aria-pressed={isSelected}
          onClick={() => onSelect(id)}
        >
          <span className="network-list__people">
            {agents.slice(0, MOST_TILES).map((name) => (
              <PartyTile key={name} name={name} />
            ))}
            <span className="network-list__names">
              <ShownText text={agents.join(", ")} />
            </span>
          </span>
        </button>
      </td>
      <td className="network-list__text">
        {first !== null && <ShownText text={first.text.slice(0, 300)} />}
      </td>
      <td className="network-list__why">
        {state === "paused" ? (
          <Chip tone="amber">paused, {held} held</Chip>
        ) : state === "frozen" ? (
          <Chip tone="amber">frozen</Chip>
        ) : (
          held > 0 && <Chip tone="amber">{held} held</Chip>
        )}
      </td>
      <td className="network-list__until">
        <Budget conversation={conversation} />
      </td>
    </tr>
  );
});

/** Whichever of the two is nearer to its end: `21 of 24 hops`. */
export function Budget({ conversation }: { conversation: Conversation }) {
  const { used, most, unit } = nearestBudget(conversation);
  const part = used / most;
  return (
    <span className={`budget figures ${part >= 0.75 ? "budget--near" : ""}`}>
      <svg viewBox="0 0 34 4" width="34" height="4" aria-hidden="true">
        <rect className="cap__ground" width="34" height="4" rx="2" />
        <rect className="cap__used" width={part * 34} height="4" rx="2" />
      </svg>
      {used} of {most} {unit}
    </span>
  );
}
