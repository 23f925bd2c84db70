import type { HubClient } from "../../client/hub-client.js";
import { readVersion } from "../../client/version.js";
import { findInDetails, findInFabric, findInPeers } from "../../doctor/health-findings.js";
import { HubError } from "../../model/errors.js";
import type { Finding } from "../../model/finding.js";
import type { CliContext } from "../context.js";
import { type HomeHub, lookAtHomeHub } from "../home-hub.js";

export type HubCheck = { isUp: boolean; findings: Finding[] };

/** The hub of this home, and what it says of itself. */
export async function checkHub(cli: CliContext): Promise<HubCheck> {
  let home: HomeHub;
  try {
    home = await lookAtHomeHub(cli.paths, cli.timeoutMs());
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    return {
      isUp: false,
      findings: [{ check: "hub", state: "problem", text: error.message, fix: "huddle down --now" }],
    };
  }
  if (home.kind !== "up")
    return {
      isUp: false,
      findings: [{ check: "hub", state: "note", text: "not running", fix: "huddle up" }],
    };
  const { url, pid, version } = home.health;
  const running: Finding = { check: "hub", state: "ok", text: `${url}, pid ${pid}` };
  return { isUp: true, findings: [running, compareVersions(version), ...(await askHub(cli, home))] };
}

function compareVersions(running: string): Finding {
  const own = readVersion();
  if (running === own)
    return { check: "version", state: "ok", text: `The hub and this program are both ${own}` };
  return {
    check: "version",
    state: "problem",
    text: `The hub that runs is ${running}, this program is ${own}`,
    fix: "huddle down && huddle up",
  };
}

async function askHub(cli: CliContext, { health }: HomeHub & { kind: "up" }): Promise<Finding[]> {
  const { homeTarget } = await import("../../client/connect.js");
  const { createClient } = await import("../../client/http-client.js");
  const client = createClient({ ...homeTarget(cli.paths, health), timeoutMs: cli.timeoutMs() });
  try {
    return [
      ...findInDetails(await client.healthDetails()),
      ...findInFabric((await client.fabric()).joined),
      ...(await checkPeers(client)),
    ];
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    // An older hub does not know these questions; the versions say so.
    return [{ check: "hub", state: "note", text: `it does not tell more: ${error.message}` }];
  } finally {
    client.close();
  }
}

async function checkPeers(client: HubClient): Promise<Finding[]> {
  const { problem, peers } = await client.peers();
  return findInPeers(
    problem,
    peers.map((peer) => ({ ...peer, problem: peer.last_error?.message })),
  );
}
