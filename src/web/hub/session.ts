import { navigate } from "wouter/use-hash-location";
import { create } from "zustand";
import { callRoutes } from "../../client/call-route.js";
import { authRoutes } from "../../contract/http/auth.js";
import { parseLoginFragment } from "../../model/desk-link.js";
import { HubError } from "../../model/errors.js";
import { fetchTransport } from "./fetch-transport.js";

/*
 * Whether this page may talk to the hub.
 *
 *   asking → in, by a token of this tab, of a code in the address, or of another tab
 *   asking → out, when nobody has one; out → in, when another tab gets one
 *   in → out, when the hub takes the token no more
 *
 * The token is in sessionStorage, not in a cookie: cookies ignore ports, so that another local server would receive it.
 */
export type Session =
  | { kind: "asking" }
  | { kind: "in"; token: string }
  | { kind: "out"; why: string | undefined };

const KEY = "huddle.token";
/** How long other tabs have to answer. */
const ANSWER_MS = 300;

export const useSession = create<{ session: Session }>(() => ({ session: { kind: "asking" } }));

export function currentToken(): string | undefined {
  const { session } = useSession.getState();
  return session.kind === "in" ? session.token : undefined;
}

const channel = new BroadcastChannel("huddle.session");

/** Looks everywhere for a token. The code leaves the address before anything else happens. */
export async function startSession(): Promise<void> {
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => hear(data));
  // A link that is pasted over the address of an open page loads nothing.
  window.addEventListener("hashchange", () => {
    const pasted = takeCode();
    if (pasted !== undefined) void exchange(pasted, currentToken());
  });
  const code = takeCode();
  const kept = sessionStorage.getItem(KEY);
  if (code !== undefined) return exchange(code, kept ?? undefined);
  if (kept !== null) return enter(kept);
  channel.postMessage({ kind: "ask" });
  await new Promise((resolve) => window.setTimeout(resolve, ANSWER_MS));
  if (useSession.getState().session.kind === "asking") leave(undefined);
}

/** The hub does not take this token any more. One that came in meanwhile stays. */
export function endSession(token: string, why: string): void {
  if (currentToken() !== token) return;
  sessionStorage.removeItem(KEY);
  leave(why);
}

async function exchange(code: string, kept: string | undefined): Promise<void> {
  const transport = fetchTransport({ token: () => undefined });
  try {
    const { call } = callRoutes(transport, 10_000);
    const { token } = await call(authRoutes.exchange, {}, { body: { code } });
    enter(token);
    channel.postMessage({ kind: "token", token });
  } catch (error) {
    // A link that was opened twice does no harm where somebody is in already.
    if (kept !== undefined) return enter(kept);
    leave(error instanceof HubError ? error.message : "The hub did not take the code of this link");
    channel.postMessage({ kind: "ask" });
  }
}

function enter(token: string): void {
  sessionStorage.setItem(KEY, token);
  useSession.setState({ session: { kind: "in", token } });
}

function leave(why: string | undefined): void {
  useSession.setState({ session: { kind: "out", why } });
}

function hear(data: unknown): void {
  if (typeof data !== "object" || data === null || !("kind" in data)) return;
  const own = currentToken();
  if (data.kind === "ask" && own !== undefined) channel.postMessage({ kind: "token", token: own });
  if (data.kind !== "token" || !("token" in data) || typeof data.token !== "string") return;
  if (own === undefined) enter(data.token);
}

function takeCode(): string | undefined {
  const login = parseLoginFragment(window.location.hash);
  if (login !== undefined) navigate(login.path, { replace: true });
  return login?.code;
}
