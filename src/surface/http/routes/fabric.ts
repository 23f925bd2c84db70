import type { z } from "zod";
import { fabricRoutes } from "../../../contract/http/fabric.js";
import type { FabricStatus } from "../../../model/fabric-desk.js";
import type { HubPorts } from "../../ports.js";
import type { BindRoute } from "../bind-route.js";

export function bindFabricRoutes(bind: BindRoute, { fabric }: HubPorts): void {
  bind(fabricRoutes.status, async () => {
    const status = await fabric.status();
    return { joined: status === undefined ? null : viewStatus(status) };
  });

  bind(fabricRoutes.request, async () => {
    const { line, name, hubId } = await fabric.request();
    return { line, name, hub_id: hubId };
  });

  bind(fabricRoutes.join, async ({ body }) => viewStatus(await fabric.join(body.line)));

  bind(fabricRoutes.leave, async () => {
    const { fabric: name, removed } = await fabric.leave();
    return { fabric: name, removed: [...removed] };
  });
}

function viewStatus(status: FabricStatus): z.input<typeof fabricRoutes.join.response> {
  const { fabric, hubId, servers, isSteward, expiresAt, connection, since, contacts } = status;
  const { problem, warning, mailbox } = status;
  return {
    fabric,
    hub_id: hubId,
    servers: [...servers],
    steward: isSteward,
    expires: new Date(expiresAt).toISOString(),
    connection,
    since: toTime(since),
    problem,
    warning,
    mailbox,
    contacts: contacts.map((one) => ({
      name: one.name,
      hub_id: one.hubId,
      present: one.presence,
      last_contact: toTime(one.lastContactAt),
      last_ack: toTime(one.lastAckAt),
      waiting: one.waiting,
      oldest_waiting: toTime(one.oldestAt),
    })),
  };
}

function toTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
