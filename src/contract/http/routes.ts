import { socketRoutes } from "../socket/frames.js";
import { agentRoutes } from "./agents.js";
import { authRoutes } from "./auth.js";
import { backendRoutes } from "./backends.js";
import { checkRoutes } from "./checks.js";
import { claimRoutes } from "./claims.js";
import { conversationRoutes } from "./conversations.js";
import { directoryRoutes } from "./directory.js";
import { doctorRoutes } from "./doctor.js";
import { fabricRoutes } from "./fabric.js";
import { folderRoutes } from "./folders.js";
import { handoffRoutes } from "./handoff.js";
import { heldRoutes } from "./held.js";
import { hookRoutes } from "./hooks.js";
import { hostingRoutes } from "./hosting.js";
import { hubRoutes } from "./hub.js";
import { liveRoutes } from "./live.js";
import { maintenanceRoutes } from "./maintenance.js";
import { mcpRoutes } from "./mcp.js";
import { memoryRoutes } from "./memory.js";
import { messageRoutes } from "./messages.js";
import { needsYouRoutes } from "./needs-you.js";
import { obligationRoutes } from "./obligations.js";
import { pairRoutes } from "./pairs.js";
import { pausingRoutes } from "./pausing.js";
import { peerRoutes } from "./peers.js";
import { permissionRoutes } from "./permissions.js";
import { requestRoutes } from "./requests.js";
import type { RouteContract } from "./route.js";
import { searchRoutes } from "./search.js";
import { sessionRoutes } from "./sessions.js";
import { taskRoutes } from "./tasks.js";
import { turnRoutes } from "./turns.js";
import { usageRoutes } from "./usage.js";
import { workflowRoutes } from "./workflows.js";
import { worktreeRoutes } from "./worktrees.js";

/** Every route that the hub serves, but for the desk's own files. */
export const allRoutes: readonly RouteContract[] = [
  ...Object.values(agentRoutes),
  ...Object.values(messageRoutes),
  ...Object.values(hookRoutes),
  ...Object.values(hostingRoutes),
  ...Object.values(backendRoutes),
  ...Object.values(folderRoutes),
  ...Object.values(turnRoutes),
  ...Object.values(pausingRoutes),
  ...Object.values(permissionRoutes),
  ...Object.values(needsYouRoutes),
  ...Object.values(conversationRoutes),
  ...Object.values(pairRoutes),
  ...Object.values(heldRoutes),
  ...Object.values(peerRoutes),
  ...Object.values(directoryRoutes),
  ...Object.values(fabricRoutes),
  ...Object.values(requestRoutes),
  ...Object.values(claimRoutes),
  ...Object.values(memoryRoutes),
  ...Object.values(handoffRoutes),
  ...Object.values(taskRoutes),
  ...Object.values(obligationRoutes),
  ...Object.values(worktreeRoutes),
  ...Object.values(checkRoutes),
  ...Object.values(workflowRoutes),
  ...Object.values(usageRoutes),
  ...Object.values(sessionRoutes),
  ...Object.values(searchRoutes),
  ...Object.values(maintenanceRoutes),
  ...Object.values(mcpRoutes),
  ...Object.values(liveRoutes),
  ...Object.values(socketRoutes),
  ...Object.values(authRoutes),
  ...Object.values(hubRoutes),
  ...Object.values(doctorRoutes),
];
