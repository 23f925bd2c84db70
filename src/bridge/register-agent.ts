import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "../model/parse-json.js";
import { askHub } from "./ask-hub.js";
import type { AgentDescription } from "./describe-agent.js";
import { Refused, refusalIn, Unreachable } from "./failures.js";
import { isObject } from "./json.js";
import type { Settings } from "./settings.js";

/** Registers an agent with the join token. One whose answer is lost is left behind, and dies of silence. */
export async function registerAgent(
  url: string,
  description: AgentDescription,
  { paths }: Settings,
): Promise<{ name: string; token: string }> {
  const { status, text } = await askHub(url, {
    method: "POST",
    path: "/api/agents",
    token: joinToken(url, paths.data),
    body: JSON.stringify({ ...description, heartbeat: true }),
  });
  const body = parseJson(text);
  if (!isObject(body)) throw new Unreachable(`${url} answers, but not as a hub (HTTP ${status})`);
  const { name, token } = body;
  if (typeof name === "string" && typeof token === "string") return { name, token };
  throw status === 503 ? new Unreachable(String(body["error"])) : refusalIn(body, status);
}

/** The join token of this home is no business of a hub on another machine. */
function joinToken(url: string, data: string): string {
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
