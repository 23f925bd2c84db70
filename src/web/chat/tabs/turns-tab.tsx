import { EmptyState } from "../../parts/empty-state.js";
import { sayClockSeconds, sayDay, sayLength, toMs } from "../../parts/time.js";
import { useNow } from "../../parts/use-now.js";
import { firstWords } from "../turn/sent-line.js";
import { nameTurn } from "../turn/turn-name.js";
import type { TurnShown } from "../turn/turn-shown.js";
import "./tabs.css";

type Props = {
  /** Oldest first. */
  turns: readonly TurnShown[];
  numbers: readonly (number | undefined)[];
  onGoTo: (turn: string) => void;
  onOlder: (() => void) | undefined;
};

/** What the agent did, turn by turn, newest first. */
export function TurnsTab({ turns, numbers, onGoTo, onOlder }: Props) {
  const now = useNow();
  if (turns.length === 0)
    return (
      <EmptyState title="No turns yet">
        A turn is what the agent does with one prompt. The turns of agents that the hub runs are listed here.
      </EmptyState>
    );
  return (
    <div className="tab-scroll">
      <table className="turn-table">
        <thead>
          <tr>
            <th scope="col">Turn</th>
            <th scope="col">Began</th>
            <th scope="col">Took</th>
            <th scope="col">Stop</th>
            <th scope="col" className="turn-table__number">
              Mail
            </th>
            <th scope="col" className="turn-table__number">
              Tools
            </th>
            <th scope="col" className="turn-table__number">
              Tokens
            </th>
            <th scope="col" className="turn-table__number">
              Cost
            </th>
            <th scope="col">Said</th>
          </tr>
        </thead>
        <tbody>
          {turns.toReversed().map((turn, at) => (
            <tr key={turn.turn}>
              <td>
                <button type="button" className="turn-table__go" onClick={() => onGoTo(turn.turn)}>
                  {nameTurn(numbers[turns.length - 1 - at])}
                </button>
              </td>
              <td className="figures">{beganWords(turn, now)}</td>
              <td className="figures">
                {sayLength((turn.ended === null ? now : toMs(turn.ended)) - toMs(turn.started))}
              </td>
              <td className={turn.stop === null || turn.stop === "end_turn" ? "" : "turn-table__cut"}>
                {turn.stop ?? (turn.state === "unknown" ? "unknown" : "running")}
              </td>
              <td className="turn-table__number">{turn.messages.length}</td>
              <td className="turn-table__number">{turn.tools.length + (turn.cut?.tools ?? 0)}</td>
              <td className="turn-table__number">{tokensOf(turn)}</td>
              <td className="turn-table__number">
                {turn.usage?.cost_usd === undefined ? "" : `$${turn.usage.cost_usd.toFixed(2)}`}
              </td>
              <td className="turn-table__said">{firstWords(turn.text)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {onOlder === undefined ? null : (
        <button type="button" className="turn-table__older" onClick={onOlder}>
          Older turns
        </button>
      )}
    </div>
  );
}

function beganWords(turn: TurnShown, now: number): string {
  const at = toMs(turn.started);
  const day = sayDay(at, now);
  return day === "Today" ? sayClockSeconds(at) : `${day}, ${sayClockSeconds(at)}`;
}

function tokensOf({ usage }: TurnShown): string {
  if (usage === null) return "";
  const all = (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  return all === 0 ? "" : all >= 10_000 ? `${Math.round(all / 1000)}k` : String(all);
}
