import { addressThen } from "../../hub/rules/address-of.js";
import type { AgentId } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import { nearest } from "../../model/nearest.js";
import { replaceUnsafe } from "../../model/unsafe-text.js";
import type { KeptVersion } from "../../views/memories.js";
import type { HubPorts } from "../ports.js";

type Ports = Pick<HubPorts, "views">;

/** How many names a refusal lists. */
const LISTED = 50;

export function viewVersion(
  { version, by, byName, at, bytes }: KeptVersion,
  { views }: Ports,
  reader: AgentId,
) {
  return {
    version,
    by: addressThen(views, by, byName, reader),
    at: new Date(at).toISOString(),
    bytes,
  };
}

/** A memory as it was in one version, or is now. */
export function showMemory(name: string, wanted: number | undefined, ports: Ports, reader: AgentId) {
  const { memories } = ports.views;
  const versions = memories.versions(name);
  const found = wanted === undefined ? versions[0] : versions.find(({ version }) => version === wanted);
  const content = found && memories.content(name, found.version);
  if (found === undefined || content === undefined) throw notFound(name, wanted, versions, ports);
  return {
    name,
    ...viewVersion(found, ports, reader),
    content,
    versions: versions.map((one) => viewVersion(one, ports, reader)),
  };
}

function notFound(
  name: string,
  wanted: number | undefined,
  versions: readonly KeptVersion[],
  { views }: Ports,
): HubError {
  const shown = replaceUnsafe(name.slice(0, 128), () => "?");
  if (versions.length > 0) {
    return new HubError("MEMORY_NOT_FOUND", `Version ${wanted} of "${shown}" is not kept`, {
      versions: versions.map(({ version }) => version),
    });
  }
  const available = views.memories.list("", LISTED).map((one) => one.name);
  const meant = nearest(name, available);
  return new HubError("MEMORY_NOT_FOUND", `No memory is named "${shown}"`, {
    available,
    ...(meant === undefined ? {} : { did_you_mean: meant }),
  });
}
