import type { z } from "zod";
import { eventsQuery, hubRoutes } from "../../contract/http/hub.js";
import { liveQuery, liveRoutes } from "../../contract/http/live.js";
import { socketRoutes } from "../../contract/socket/frames.js";
import { decodeQuery } from "../../decoding/decode.js";
import { findAgent } from "../../hub/rules/find-agent.js";
import { HUMAN_ID } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import { type Caller, checkAccess, viewerOf } from "../caller/auth.js";
import type { HubPorts } from "../ports.js";
import { startEventReader } from "./event-reader.js";
import { startLiveReader } from "./live-reader.js";
import { streamStart } from "./stream-start.js";
import type { StreamReader, Wire } from "./wire.js";

/** Begins to feed a wire. */
export type StartReader = (wire: Wire) => StreamReader;

const { events } = hubRoutes;
const { live } = liveRoutes;

/*
 * Everything that can be refused is refused before a reader starts.
 */

export function openEvents(
  ports: HubPorts,
  caller: Caller,
  query: z.output<typeof eventsQuery>,
  lastEventId?: string,
): StartReader {
  const after = streamStart(ports, query, lastEventId);
  return (wire) => startEventReader(ports, viewerOf(caller), after, wire);
}

export function openLive(ports: HubPorts, { agent }: z.output<typeof liveQuery>): StartReader {
  const id = agent === "*" ? undefined : findAgent(ports.views, agent, HUMAN_ID).id;
  return (wire) => startLiveReader(ports, id, wire);
}

/** The stream that the path of a WebSocket stands for, if this caller may have it. */
export function openStream(
  ports: HubPorts,
  caller: Caller,
  path: string,
  query: URLSearchParams,
): StartReader {
  checkAccess(caller, path === live.path ? live.access : events.access);
  if (path === events.path) return openEvents(ports, caller, decodeQuery(eventsQuery, query));
  if (path === live.path) return openLive(ports, decodeQuery(liveQuery, query));
  throw new HubError(
    "ROUTE_NOT_FOUND",
    `There is no WebSocket here; use ${events.path}, ${live.path} for live output, or ${socketRoutes.open.path} for a program`,
  );
}
