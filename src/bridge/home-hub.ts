import { join } from "node:path";
import { parseJson } from "../model/parse-json.js";
import { Refused, Unreachable } from "./failures.js";
import { isObject, type Json, readJson } from "./json.js";
import { startOf } from "./process-start.js";
import type { Settings } from "./settings.js";

/** A hub that was there a moment ago is probably being started again by whoever stopped it. */
const RESTART_GRACE_MS = 3_000;

export type HomeHub = {
  /** Where the hub is, or was a moment ago. Throws Unreachable when nothing says where. */
  url(): string;
  /** It answered there. */
  met(): void;
  /** It does not answer there. */
  lost(): void;
  /**
   * Looks for it again, and starts it if it has been away since before `since`, is ours, and nobody else starts it.
   * Throws what kept the hub from starting, once.
   */
  revive(since: number): void;
  /** It was started from here, and is not up yet. */
  isStarting(): boolean;
};

/** The hub that the settings lead to: an address that was given, or whatever hub.json says just now. */
export function openHomeHub({ paths, identityFile, url: given, ofThisHome }: Settings): HomeHub {
  let known: string | undefined;
  let wasMet = false;
  let starting = false;
  let refusal: Refused | undefined;

  function url(): string {
    if (known !== undefined) return known;
    const running = ofThisHome ? readJson(paths.hubFile)?.["url"] : undefined;
    const found = running ?? (identityFile === undefined ? given : readJson(identityFile)?.["url"]);
    if (typeof found !== "string" || !URL.canParse(found)) throw new Unreachable("no hub is running");
    known = found.replace(/\/+$/, "");
    return known;
  }

  function start(): void {
    starting = true;
    const { spawn } = process.getBuiltinModule("node:child_process");
    // `up` gives the hub a session, an environment and a folder of its own, and says why it did not start.
    const up = spawn(process.execPath, [join(__dirname, "main.js"), "up", "--json"], {
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    const end = (reason: string) => {
      starting = false;
      refusal = new Refused(startRefusal(said, reason));
    };
    up.stderr.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString("utf8")).slice(-10_000);
    });
    up.on("error", (error) => end(error.message));
    up.on("close", (code) => {
      if (code === 0) starting = false;
      else end(`exit ${code}`);
    });
  }

  return {
    url,
    met() {
      wasMet = true;
    },
    lost() {
      known = undefined;
    },
    isStarting: () => starting,
    revive(since) {
      known = undefined;
      const reason = refusal;
      refusal = undefined;
      if (reason !== undefined) throw reason;
      if (!ofThisHome || starting) return;
      const pid = readJson(paths.hubFile)?.["pid"];
      const mayComeBack = wasMet || (typeof pid === "number" && startOf(pid) !== undefined);
      if (performance.now() - since >= (mayComeBack ? RESTART_GRACE_MS : 0)) start();
    },
  };
}

function startRefusal(said: string, reason: string): Json & { error: string; code: string } {
  const last = said.trim().split("\n").at(-1) ?? "";
  const body = parseJson(last);
  if (isObject(body) && typeof body["error"] === "string" && typeof body["code"] === "string") {
    return { ...body, error: `The hub did not start: ${body["error"]}`, code: body["code"] };
  }
  return { error: `The hub did not start (${reason}): ${last}`, code: "INTERNAL" };
}
