import { EmptyState } from "../../parts/empty-state.js";
import { Monogram } from "../../parts/monogram.js";
import { sayWhen, toMs } from "../../parts/time.js";
import { useNow } from "../../parts/use-now.js";
import type { Message } from "../bubble/mail.js";
import type { ThreadSummary } from "../thread/list-threads.js";
import { firstWords } from "../turn/sent-line.js";
import "./tabs.css";

type Props = { threads: readonly ThreadSummary[]; onOpen: (message: Message) => void };

/** The threads that the agent takes part in. */
export function ThreadsTab({ threads, onOpen }: Props) {
  const now = useNow();
  if (threads.length === 0)
    return (
      <EmptyState title="No threads yet">
        A thread begins when a message is answered. Choose a message and press r to reply to it.
      </EmptyState>
    );
  return (
    <ul className="tab-list">
      {threads.map(({ id, first, last, count, names }) => (
        <li key={id}>
          <button type="button" className="tab-list__row" onClick={() => onOpen(first)}>
            <span className="tab-list__names">
              {names.slice(0, 4).map((name) => (
                <Monogram key={name} name={name} size={18} />
              ))}
            </span>
            <span className="tab-list__text">{firstWords(first.content)}</span>
            <span className="tab-list__meta">
              {count} message{count === 1 ? "" : "s"}
            </span>
            <time className="tab-list__time" dateTime={last.timestamp}>
              {sayWhen(toMs(last.timestamp), now)}
            </time>
          </button>
        </li>
      ))}
    </ul>
  );
}
