/*
 * The addresses of the desk. A place is the fragment of the hub's own address, so the hub never sees where somebody looks:
 * http://127.0.0.1:9223/#/agents/ann. Both the command line, which prints them, and the desk, which goes there, use this.
 */

export type DeskPlace =
  | { page: "agent"; name: string }
  | { page: "message"; id: string }
  | { page: "request"; id: string }
  | { page: "needs-you"; id?: string }
  | { page: "new-agent" };

/** As it stands behind the `#`. */
export function deskPath(place: DeskPlace): string {
  switch (place.page) {
    case "agent":
      return `/agents/${encodeURIComponent(place.name)}`;
    case "message":
      return `/messages/${encodeURIComponent(place.id)}`;
    case "request":
      return `/requests/${encodeURIComponent(place.id)}`;
    case "needs-you":
      return place.id === undefined ? "/needs-you" : `/needs-you/${encodeURIComponent(place.id)}`;
    case "new-agent":
      return "/new-agent";
  }
}

/** Undefined for whatever is no place of the desk. */
export function parseDeskPath(path: string): DeskPlace | undefined {
  const [before, page, given, ...rest] = path.split("/");
  if (before !== "" || rest.length > 0 || given === "") return undefined;
  if (given === undefined) {
    return page === "needs-you" || page === "new-agent" ? { page } : undefined;
  }
  const what = decode(given);
  if (what === undefined) return undefined;
  switch (page) {
    case "agents":
      return { page: "agent", name: what };
    case "messages":
      return { page: "message", id: what };
    case "requests":
      return { page: "request", id: what };
    case "needs-you":
      return { page: "needs-you", id: what };
    default:
      return undefined;
  }
}

/** `hub` is the address of a hub, without a slash at its end. */
export function deskLink(hub: string, place: DeskPlace): string {
  return `${hub}/#${deskPath(place)}`;
}

/** What a person may give for a place: a link, or what stands behind its `#`, with or without the slash. */
export function parseDeskLink(text: string): DeskPlace | undefined {
  const [, fragment = text] = /^[^#]*#(.*)$/s.exec(text) ?? [];
  return parseDeskPath(fragment.startsWith("/") ? fragment : `/${fragment}`);
}

/** The link that logs the desk in, and goes to a place from there. */
export function loginLink(hub: string, code: string, place?: DeskPlace): string {
  const fields = new URLSearchParams({ code, ...(place === undefined ? {} : { to: deskPath(place) }) });
  return `${hub}/#${fields.toString()}`;
}

/** What a login link has behind its `#`, which may be given with it; undefined if it is none. */
export function parseLoginFragment(fragment: string): { code: string; path: string } | undefined {
  const text = fragment.replace(/^#/, "");
  if (text.startsWith("/")) return undefined;
  const fields = new URLSearchParams(text);
  const code = fields.get("code");
  if (code === null || code === "") return undefined;
  const place = parseDeskPath(fields.get("to") ?? "");
  return { code, path: place === undefined ? "/" : deskPath(place) };
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
