import { backendRoutes } from "../../../contract/http/backends.js";
import { folderRoutes } from "../../../contract/http/folders.js";
import type { HubPorts } from "../../ports.js";
import type { BindRoute } from "../bind-route.js";

/** What a person chooses from when they start an agent: on what, and where. */
export function bindSpawnChoiceRoutes(bind: BindRoute, { hosting }: HubPorts): void {
  bind(backendRoutes.list, () => hosting.backends());
  bind(folderRoutes.list, ({ query }) => hosting.folders(query.path));
}
