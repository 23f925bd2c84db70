/*
 * The addresses of the desk. A place is the fragment of the hub's own address, so the hub never sees where somebody looks:
 * http://127.0.0.1:9223/#/agents/ann. Both the command line, which prints them, and the desk, which goes there, use this.
 */

export type DeskPlace =
  | { page: "agent"; name: string }
  | { page: "message"; id: string }
  | { page: "needs-you"; id?: string }
  | { page: "new-agent" }
  /** `id`: the conversation that is looked at. */
  | { page: "network"; id?: string }
  | { page: "requests"; id?: string }
  | { page: "workflows"; id?: string; step?: string }
  /** `id`: what is looked for, as it stands in the field. */
  | { page: "log"; id?: string }
  | { page: "health" };

/** Pages that stand at an address of their own name, with what is looked at there behind it. */
const named = ["needs-you", "network", "requests", "workflows", "log"] as const;
const alone = ["new-agent", "health"] as const;

/** As it stands behind the `#`. */
export function deskPath(place: DeskPlace): string {
  switch (place.page) {
    case "agent":
      return join("agents", place.name);
    case "message":
      return join("messages", place.id);
    case "new-agent":
    case "health":
      return join(place.page);
    case "workflows":
      return join(place.page, place.id, place.id === undefined ? undefined : place.step);
    default:
      return join(place.page, place.id);
  }
}

function join(page: string, ...what: (string | undefined)[]): string {
  return ["", page, ...what.filter((part) => part !== undefined).map(encodeURIComponent)].join("/");
}

/** Undefined for whatever is no place of the desk. */
export function parseDeskPath(path: string): DeskPlace | undefined {
  const [before, page = "", ...rest] = path.split("/");
  const what = rest.map(decode);
  const [id, step] = what;
  if (before !== "" || what.some((part) => part === undefined || part === "")) return undefined;
  if (page === "workflows" && id !== undefined && step !== undefined && what.length === 2)
    return { page, id, step };
  if (what.length > 1) return undefined;
  if (id === undefined) {
    const found = [...named, ...alone].find((name) => name === page);
    return found === undefined ? undefined : { page: found };
  }
  if (page === "agents") return { page: "agent", name: id };
  if (page === "messages") return { page: "message", id };
  const found = named.find((name) => name === page);
  return found === undefined ? undefined : { page: found, id };
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
