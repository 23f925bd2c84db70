import { readFileSync } from "node:fs";
import { HubError } from "../model/errors.js";
import { type HubFile, readHubFile } from "./hub-file.js";
import { type HuddlePaths, resolvePaths } from "./paths.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a hub is, and what to show it. */
export type HubTarget = { url: string; token: string };

type LocateOptions = {
  env: Environment;
  home: string;
  /** Given by the person: stands above everything else. */
  hub?: string | undefined;
};

/** The hub to talk to: the one named, else the one that runs in this home. */
export function locateHub({ env, home, hub }: LocateOptions): HubTarget {
  const named = hub ?? nonEmpty(env["HUDDLE_URL"]) ?? nonEmpty(env["JANUS_API_URL"]);
  const url = named === undefined ? urlOfHome(env, home) : checkUrl(named);
  return { url, token: findToken(env, home, url) };
}

/** The hub of this home, whatever else the environment points to. */
export function homeTarget(paths: HuddlePaths, { url }: HubFile): HubTarget {
  return { url, token: readToken(paths.token) };
}

function urlOfHome(env: Environment, home: string): string {
  const { hubFile } = resolvePaths(env, home);
  const running = readHubFile(hubFile);
  if (running !== undefined) return running.url;
  throw new HubError("HUB_UNREACHABLE", "No hub is running. Start it with `huddle up`", {
    hub_file: hubFile,
  });
}

function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, "");
  throw new HubError(
    "INVALID_INPUT",
    `"${text}" is not the address of a hub; it looks like http://127.0.0.1:9223`,
  );
}

function findToken(env: Environment, home: string, url: string): string {
  const given = nonEmpty(env["HUDDLE_TOKEN"]?.trim());
  if (given !== undefined) return checkToken(given, "HUDDLE_TOKEN");
  const named = nonEmpty(env["HUDDLE_TOKEN_FILE"]);
  if (named !== undefined) return readToken(named);
  // The operator's token of this home is no business of a hub on another machine.
  if (isLoopback(url)) return readToken(resolvePaths(env, home).token);
  throw new HubError(
    "UNAUTHENTICATED",
    `${url} is not on this machine: set HUDDLE_TOKEN or HUDDLE_TOKEN_FILE for it`,
  );
}

function readToken(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new HubError(
      "UNAUTHENTICATED",
      `The token file ${file} cannot be read (${reason})`,
      { file },
      { cause: error },
    );
  }
  return checkToken(text, `The token file ${file}`);
}

/** What cannot stand in a header is not a token, and would fail there with less to go by. */
function checkToken(text: string, where: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new HubError("UNAUTHENTICATED", `${where} ${text === "" ? "is empty" : "does not hold a token"}`);
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
