import { directoryRoutes } from "../../../contract/http/directory.js";
import { memberId } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import type { BindRoute } from "../bind-route.js";

export function bindDirectoryRoutes(bind: BindRoute, { peers, searches }: HubPorts): void {
  bind(directoryRoutes.everywhere, async ({ caller, query }) => {
    const reader = memberId(caller);
    // It is work for many machines: as few at once as searches.
    const giveUp = searches.take(reader);
    try {
      const { agents, problems, next } = await peers.everywhere({ reader, ...query });
      return {
        agents: agents.map(({ isPerson, ...agent }) => ({
          ...agent,
          ...(isPerson === true ? { person: true as const } : {}),
        })),
        problems: [...problems],
        next,
      };
    } finally {
      giveUp();
    }
  });
}
