import { useEffect, useState } from "react";
import "./skeleton.css";

/** Bars where text will be: nothing for 200 ms, so that what is quick does not flash. */
export function Skeleton({ lines = 3, label = "Loading" }: { lines?: number; label?: string }) {
  const isLate = useLate(200);
  if (!isLate) return null;
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={`skeleton__bar skeleton__bar--${line % 3}`} />
      ))}
    </div>
  );
}

/** False until so much time went by since it was first asked. */
function useLate(ms: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), ms);
    return () => window.clearTimeout(timer);
  }, [ms]);
  return isLate;
}
