import { useEffect, useState } from "react";
import { create } from "zustand";

/*
 * How this page is connected to the hub: connecting at first, then live, reconnecting whenever the stream breaks, and live
 * again. Times are milliseconds since 1970; `lastUpdate` is when anything was last heard.
 */
export type Connection =
  | { kind: "connecting" }
  | { kind: "live"; since: number }
  | { kind: "reconnecting"; since: number; tries: number; nextAt: number | undefined; lastUpdate: number };

/** Shorter breaks are nobody's business. */
const STRIP_AFTER_MS = 3_000;
/** What an agent did so long ago says nothing about what it does now. */
const UNKNOWN_AFTER_MS = 30_000;

export const useConnection = create<{ connection: Connection }>(() => ({
  connection: { kind: "connecting" },
}));

export function setConnection(connection: Connection): void {
  useConnection.setState({ connection });
}

let hurry = () => {};

/** What "Try now" does while the feed waits for its next try. */
export function onTryNow(act: () => void): void {
  hurry = act;
}

export function tryNow(): void {
  hurry();
}

export type Contact = "live" | "connecting" | "lost" | "unknown";

/** `lost`: for so long that it is told; `unknown`: for so long that no status counts. Renders when that changes only. */
export function useContact(): Contact {
  const connection = useConnection((state) => state.connection);
  const [now, setNow] = useState(Date.now);
  const since = connection.kind === "reconnecting" ? connection.since : undefined;
  const heard = connection.kind === "reconnecting" ? connection.lastUpdate : undefined;
  useEffect(() => {
    if (since === undefined || heard === undefined) return;
    setNow(Date.now());
    const timers = [since + STRIP_AFTER_MS, heard + UNKNOWN_AFTER_MS].map((at) =>
      window.setTimeout(() => setNow(Date.now()), Math.max(0, at - Date.now()) + 1),
    );
    return () => {
      for (const timer of timers) window.clearTimeout(timer);
    };
  }, [since, heard]);
  return contactAt(connection, now);
}

export function contactAt(connection: Connection, now: number): Contact {
  if (connection.kind !== "reconnecting") return connection.kind;
  if (now >= connection.lastUpdate + UNKNOWN_AFTER_MS) return "unknown";
  return now >= connection.since + STRIP_AFTER_MS ? "lost" : "live";
}

/** Whether what acts on the hub can act: it is off while nothing can be sent. */
export function useCanAct(): boolean {
  return useContact() !== "unknown";
}
