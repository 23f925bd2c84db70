import { homedir } from "node:os";
import type { HealthDetails } from "../../client/hub-client.js";
import type { HuddlePaths } from "../../client/paths.js";
import { checkClis } from "../../doctor/check-clis.js";
import { checkNode } from "../../doctor/check-node.js";
import { findInDetails, findInFabric, findInPeers } from "../../doctor/health-findings.js";
import type { FabricDesk } from "../../model/fabric-desk.js";
import type { Finding } from "../../model/finding.js";
import type { PeerDesk } from "../../model/peer-desk.js";
import { buildEnvironment, hostedMarker } from "../../runtime/process/environment.js";
import type { TightViews } from "../../views/tight.js";
import { hubMark } from "../hub-mark.js";
import { examine } from "./examine.js";

type RunningHub = {
  paths: HuddlePaths;
  url: string;
  views: TightViews;
  peers: Pick<PeerDesk, "problem" | "list">;
  fabric: Pick<FabricDesk, "status">;
  details: () => Promise<HealthDetails>;
  signal: AbortSignal;
};

const SHAKE_MS = 15_000;

/** What `huddle doctor` looks at, from inside the hub: of itself it knows more, and of the person's terminal nothing. */
export async function examineHub(hub: RunningHub): Promise<Finding[]> {
  const { paths, views, peers, signal } = hub;
  const running: Finding = { check: "hub", state: "ok", text: `${hub.url}, pid ${process.pid}` };
  const isGone = (id: string) => {
    const agent = views.roster.byId(id);
    return agent !== undefined && !views.roster.hosted().some((one) => one.id === id);
  };
  return [
    checkNode(),
    running,
    ...findInDetails(await hub.details()),
    ...findInFabric(await hub.fabric.status()),
    ...findInPeers(
      peers.problem(),
      peers.list().map((peer) => ({ ...peer, secret: peer.secretState, problem: peer.lastError?.message })),
    ),
    ...(await examine({ isUp: true, paths, isGone })),
    ...(await checkClis({
      world: { home: homedir(), cwd: "/", env: process.env, platform: process.platform },
      // Without the secrets that the hub may have in its own, and marked: no program of theirs outlives it unseen.
      env: buildEnvironment(process.env, { env: {}, passEnv: [] }, hostedMarker(hubMark(paths.data), "")),
      data: paths.data,
      isUp: true,
      shakeWithinMs: SHAKE_MS,
      signal,
    })),
  ];
}
