import type { Receipt } from "./receipt.js";
import "./receipt-line.css";

/** The rungs alone; the words stand beside them. */
export function Rungs({ receipt }: { receipt: Receipt }) {
  return (
    <span className="rungs" aria-hidden="true">
      {receipt.rungs.map((tone, at) => (
        <span key={at} className={`rungs__rung rungs__rung--${tone}`} />
      ))}
    </span>
  );
}
