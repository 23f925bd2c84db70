import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "../model/parse-json.js";
import { askHub } from "./ask-hub.js";
import type { AgentDescription } from "./describe-agent.js";
import { Refused, refusalIn, Unreachable } from "./failures.js";
import { isObject } from "./json.js";
import type { Settings } from "./settings.js";

/** Registers an agent. One whose answer is lost is left behind, and dies of silence. */
export async function registerAgent(
  url: string,
  description: AgentDescription,
  settings: Settings,
): Promise<{ name: string; token: string }> {
  const { status, text } = await askHub(url, {
    method: "POST",
    path: "/api/agents",
    token: readToken(url, settings),
    body: JSON.stringify({ ...description, heartbeat: true }),
  });
  const body = parseJson(text);
  if (!isObject(body)) throw new Unreachable(`${url} answers, but not as a hub (HTTP ${status})`);
  const { name, token } = body;
  if (typeof name === "string" && typeof token === "string") return { name, token };
  throw status === 503 ? new Unreachable(String(body["error"])) : refusalIn(body, status);
}

/** Who holds this token, by the name that the hub knows them under. */
export async function introduce(url: string, token: string): Promise<{ name: string; token: string }> {
  const { status, text } = await askHub(url, { method: "GET", path: "/api/agents?limit=1", token });
  const body = parseJson(text);
  if (!isObject(body)) throw new Unreachable(`${url} answers, but not as a hub (HTTP ${status})`);
  if (typeof body["self"] === "string") return { name: body["self"], token };
  throw status === 503 ? new Unreachable(String(body["error"])) : refusalIn(body, status);
}

export function isAgentToken(token: string): boolean {
  return token.startsWith("hud_agent_");
}

/** The token that was given, of an agent or to register with; else the join token of this home, which is no business of another machine. */
export function readToken(url: string, { paths: { data } }: Settings): string {
  const { HUDDLE_TOKEN: given, HUDDLE_TOKEN_FILE: named } = process.env;
  if (given) return given.trim();
  if (!named && !/^https?:\/\/(127\.|localhost[:/]|\[::1\])/.test(`${url}/`)) {
    throw new Refused({
      error: `${url} is not on this machine: set HUDDLE_TOKEN_FILE to a file with its join token`,
      code: "UNAUTHENTICATED",
    });
  }
  const file = named || join(data, "join");
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    // The hub makes it when it starts for the first time.
    throw new Unreachable(`${file} cannot be read`);
  }
}
