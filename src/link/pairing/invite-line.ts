import { HubError } from "../../model/errors.js";
import type { HubId } from "../../model/link.js";

/** What one hub tells another over the person's shoulder: where it is, who it is, and a secret that works once. */
export type InviteLine = { host: string; port: number; hub: HubId; secret: string };

const pattern =
  /^huddle:\/\/(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]{1,253})):(\d{1,5})\/([a-z2-7]{32})\/([A-Za-z0-9_-]{22})$/i;

export function writeInviteLine({ host, port, hub, secret }: InviteLine): string {
  return `huddle://${host.includes(":") ? `[${host}]` : host}:${port}/${hub}/${secret}`;
}

export function readInviteLine(text: string): InviteLine {
  const [, six, host = six, port, hub, secret] = pattern.exec(text.trim()) ?? [];
  if (host === undefined || hub === undefined || secret === undefined || !isPort(Number(port))) {
    throw new HubError(
      "INVITE_INVALID",
      "This is not an invitation. It looks like huddle://HOST:PORT/… and is printed by huddle peers invite; paste all of it",
    );
  }
  return { host: host.toLowerCase(), port: Number(port), hub: hub.toLowerCase(), secret };
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535;
}
