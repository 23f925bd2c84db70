import { sayAge, sayAgo, sayElapsed, sayWhen, toMs } from "./time.js";
import { useNow } from "./use-now.js";

/* Times that go on. Each is a component of its own, so that a second that passes renders nothing else. */

/** `0:42` since then. */
export function Elapsed({ since }: { since: number }) {
  return <span className="figures">{sayElapsed(useNow() - since)}</span>;
}

/** `6 m` since then. */
export function Age({ since }: { since: number }) {
  return <span className="figures">{sayAge(useNow() - since)}</span>;
}

/** `2 m ago`, with the whole time as a tooltip. */
export function Ago({ at }: { at: string }) {
  const now = useNow();
  return (
    <time className="figures" dateTime={at} title={sayWhen(toMs(at), now)}>
      {sayAgo(now - toMs(at))}
    </time>
  );
}

/** `7:12` until then; nothing less than zero. */
export function Remaining({ until }: { until: number }) {
  return <span className="figures">{sayElapsed(until - useNow())}</span>;
}
