import { Pause } from "lucide-react";

type Props = {
  isLive: boolean;
  isPaused: boolean;
  /** Whether the newest row is in view. */
  isAtTop: boolean;
  /** Rows that came and are not taken in. */
  waiting: number;
  onNewest: () => void;
};

/** Whether new rows come in at the top, and how many wait. */
export function TailWord({ isLive, isPaused, isAtTop, waiting, onNewest }: Props) {
  if (!isPaused && isAtTop && isLive)
    return (
      <span className="log-tail log-tail--live" role="status">
        <span className="log-tail__dot" aria-hidden="true" /> following, newest first
      </span>
    );
  const word = !isLive ? "no connection" : isPaused ? "paused" : "newest above";
  return (
    <span className="log-tail" role="status">
      {isPaused && <Pause size={12} aria-hidden="true" />} {word}
      {waiting > 0 && (
        <button type="button" className="log-tail__new figures" onClick={onNewest}>
          {waiting.toLocaleString("en")} new
        </button>
      )}
    </span>
  );
}
