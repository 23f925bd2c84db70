/* How something was answered, in words. */

export type Answer = {
  outcome?: string | undefined;
  by?: string | undefined;
  via?: string | undefined;
  reason?: string | undefined;
};

const outcomes: Readonly<Record<string, string>> = {
  once: "allowed once",
  session: "allowed for the session",
  always: "always allowed",
  deny: "denied",
  cancelled: "withdrawn",
};

/** `allowed once · by you, in a terminal` */
export function sayAnswer({ outcome, by, via, reason }: Answer): string {
  const what = outcome === undefined ? "settled" : (outcomes[outcome] ?? outcome);
  return `${what} · ${sayWho({ by, via, reason })}`;
}

function sayWho({ by, via, reason }: Answer): string {
  switch (reason) {
    case "timeout":
      return "nobody answered in time";
    case "cancelled":
      return "its turn was interrupted or ended";
    case "answered_in_pane":
      return "answered in the pane";
    case "policy":
      return "by its policy";
    default:
      if (by !== "user") return by === undefined ? "elsewhere" : `by ${by}`;
      return via === "desk" ? "by you, at a desk" : "by you, in a terminal";
  }
}
