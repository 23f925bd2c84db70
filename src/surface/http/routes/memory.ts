import { memoryRoutes } from "../../../contract/http/memory.js";
import { memberId } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import { showMemory, viewVersion } from "../../shown/memory-view.js";
import type { BindRoute } from "../bind-route.js";

export function bindMemoryRoutes(bind: BindRoute, ports: HubPorts): void {
  const { execute, views } = ports;

  bind(memoryRoutes.share, async ({ caller, body }) => {
    const { isNew, ...shared } = await execute("shareMemory", { by: memberId(caller), ...body });
    return { name: body.name, ...shared, is_new: isNew };
  });

  bind(memoryRoutes.list, ({ caller, query: { cursor = "", limit } }) => {
    const found = views.memories.list(cursor, limit + 1);
    const page = found.slice(0, limit);
    return {
      memories: page.map((one) => ({ name: one.name, ...viewVersion(one, ports, memberId(caller)) })),
      next: found.length > limit ? (page.at(-1)?.name ?? null) : null,
    };
  });

  bind(memoryRoutes.show, ({ caller, param, query }) =>
    showMemory(param("name"), query.version, ports, memberId(caller)),
  );
}
