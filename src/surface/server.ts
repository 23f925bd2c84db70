import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { mcpRoutes } from "../contract/http/mcp.js";
import { HubError } from "../model/errors.js";
import { errorAnswer } from "./answers/error-answer.js";
import { createAuthenticate, type Secrets } from "./caller/auth.js";
import { createDeskCodes } from "./caller/desk-codes.js";
import { createDeskTokens } from "./caller/desk-tokens.js";
import { createSameSite, type SameSite } from "./caller/same-site.js";
import { createTickets } from "./caller/tickets.js";
import { ANSWERED, createBindRoute, type Serve } from "./http/bind-route.js";
import { createDeskFiles, type DeskFiles } from "./http/desk-files.js";
import { createRefuseClient, type Exchanges } from "./http/refuse-client.js";
import { createRouteTable } from "./http/route-table.js";
import { bindAgentRoutes } from "./http/routes/agents.js";
import { bindAuthRoutes } from "./http/routes/auth.js";
import { bindCheckRoutes } from "./http/routes/checks.js";
import { bindClaimRoutes } from "./http/routes/claims.js";
import { bindConversationRoutes } from "./http/routes/conversations.js";
import { bindDirectoryRoutes } from "./http/routes/directory.js";
import { bindFabricRoutes } from "./http/routes/fabric.js";
import { bindHandoffRoutes } from "./http/routes/handoff.js";
import { bindHistoryRoutes } from "./http/routes/history.js";
import { bindHookRoutes } from "./http/routes/hooks.js";
import { bindHostingRoutes } from "./http/routes/hosting.js";
import { bindHubRoutes } from "./http/routes/hub.js";
import { bindMaintenanceRoutes } from "./http/routes/maintenance.js";
import { bindMemoryRoutes } from "./http/routes/memory.js";
import { bindMessageRoutes } from "./http/routes/messages.js";
import { bindNeedsYouRoutes } from "./http/routes/needs-you.js";
import { bindObligationRoutes } from "./http/routes/obligations.js";
import { bindPairRoutes } from "./http/routes/pairs.js";
import { bindPausingRoutes } from "./http/routes/pausing.js";
import { bindPeerRoutes } from "./http/routes/peers.js";
import { bindPermissionRoutes } from "./http/routes/permissions.js";
import { bindRequestRoutes } from "./http/routes/requests.js";
import { bindSearchRoutes } from "./http/routes/search.js";
import { bindSessionRoutes } from "./http/routes/sessions.js";
import { bindSpawnChoiceRoutes } from "./http/routes/spawn-choices.js";
import { bindTaskRoutes } from "./http/routes/tasks.js";
import { bindTurnRoutes } from "./http/routes/turns.js";
import { bindUsageRoutes } from "./http/routes/usage.js";
import { bindWorkflowRoutes } from "./http/routes/workflows.js";
import { bindWorktreeRoutes } from "./http/routes/worktrees.js";
import { createServeDesk } from "./http/serve-desk.js";
import { unknownRoute } from "./http/unknown-route.js";
import { createAnswerMcp } from "./mcp/answer-mcp.js";
import type { HubPorts } from "./ports.js";
import { createReaderRegistry, type ReaderRegistry } from "./streams/reader-registry.js";
import { createSocketAcceptor } from "./ws/accept-socket.js";

type HttpOptions = {
  ports: HubPorts;
  secrets: Secrets;
  /** Where the built desk lies. */
  deskFolder: string;
  requestTimeoutMs: number;
  connections: number;
};

type HttpSurface = {
  /** What it serves, as "METHOD /path". */
  routes: readonly string[];
  readers: ReaderRegistry;
  desk: DeskFiles;
  /** Resolves to the port that it got. */
  listen(host: string, port: number): Promise<number>;
  /** Lets answers that are under way finish, for a moment. */
  close(): Promise<void>;
};

const LAST_ANSWERS_MS = 2000;

export function createHttpSurface({
  ports,
  secrets,
  deskFolder,
  requestTimeoutMs,
  connections,
}: HttpOptions): HttpSurface {
  const routes = createRouteTable<Serve>();
  const tokens = createDeskTokens({
    operator: secrets.operator,
    lifeMs: ports.limits.deskTokenLifeMs,
    wall: ports.wall,
  });
  const codes = createDeskCodes(ports.limits.deskCodeLifeMs, () => performance.now());
  const authenticate = createAuthenticate(ports.views, secrets, tokens);
  const readers = createReaderRegistry(ports.limits.streams);
  const tickets = createTickets(ports.limits.ticketLifeMs, () => performance.now());
  const { bind, bindExchange, operations } = createBindRoute(routes, ports, authenticate);

  const desk = createDeskFiles(deskFolder);
  const serveDesk = createServeDesk({ files: desk, onError: ports.logError });
  routes.add({ method: "GET", path: "/" }, serveDesk.page);
  routes.add({ method: "GET", path: "/assets/:file" }, serveDesk.asset);
  bindAuthRoutes(bind, ports, { codes, tokens });
  bindAgentRoutes(bind, ports);
  bindMessageRoutes(bind, ports);
  bindHistoryRoutes(bind, ports);
  bindHookRoutes(bind, ports);
  bindHostingRoutes(bind, ports);
  bindSpawnChoiceRoutes(bind, ports);
  bindTurnRoutes(bind, ports);
  bindPermissionRoutes(bind, ports);
  bindNeedsYouRoutes(bind, ports);
  bindObligationRoutes(bind, ports);
  bindConversationRoutes(bind, ports);
  bindRequestRoutes(bind, ports);
  bindTaskRoutes(bind, ports);
  bindWorktreeRoutes(bind, ports);
  bindCheckRoutes(bind, ports);
  bindWorkflowRoutes(bind, ports);
  bindUsageRoutes(bind, ports);
  bindPausingRoutes(bind, ports);
  bindPairRoutes(bind, ports);
  bindPeerRoutes(bind, ports);
  bindDirectoryRoutes(bind, ports);
  bindFabricRoutes(bind, ports);
  bindClaimRoutes(bind, ports);
  bindMemoryRoutes(bind, ports);
  bindHandoffRoutes(bind, ports);
  bindSessionRoutes(bind, ports);
  bindSearchRoutes(bind, ports);
  bindMaintenanceRoutes(bind, ports);
  const answerMcp = createAnswerMcp(ports);
  bindExchange(mcpRoutes.call, async ({ query, ...call }) => {
    await answerMcp({ ...call, set: query.tools });
    return ANSWERED;
  });
  bindHubRoutes({ bind, bindExchange }, ports, readers, tickets);

  let sameSite: SameSite = createSameSite("localhost", 0);
  const exchanges: Exchanges = new WeakMap();
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: 1000,
      keepAliveTimeout: 65_000,
    },
    (incoming, outgoing) => {
      exchanges.set(incoming.socket, { incoming, outgoing });
      const foreign = sameSite.check(incoming.headers);
      if (foreign !== undefined) {
        write(outgoing, foreign);
        incoming.resume();
        return;
      }
      serve(incoming, outgoing);
    },
  );
  function serve(incoming: IncomingMessage, outgoing: ServerResponse) {
    // A proxy's client may name the whole address; its host is checked as the header.
    const asked = incoming.url ?? "";
    const url = asked.startsWith("/") ? asked : asked.replace(/^http:\/\/[^/?#]+(?=\/)/i, "");
    if (!url.startsWith("/")) {
      const shown = "The target of a request must be a path, such as /api/agents";
      write(outgoing, new HubError("INVALID_INPUT", shown));
      return;
    }
    const end = url.indexOf("?");
    const path = end === -1 ? url : url.slice(0, end);
    const query = end === -1 ? "" : url.slice(end + 1);
    const found = routes.find(incoming.method, path);
    if (found === undefined) write(outgoing, unknownRoute(incoming, path, authenticate));
    else void found.target({ incoming, outgoing, params: found.params, query });
  }
  server.maxConnections = connections;
  server.on("clientError", createRefuseClient(exchanges, requestTimeoutMs));

  return {
    routes: routes.names(),
    readers,
    desk,
    listen(host, port) {
      return new Promise((resolve, reject) => {
        server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
        server.listen(port, host, () => {
          const address = server.address();
          const bound = typeof address === "object" && address !== null ? address.port : port;
          sameSite = createSameSite(host, bound);
          server.on(
            "upgrade",
            createSocketAcceptor({ ports, registry: readers, tickets, sameSite, authenticate, operations }),
          );
          resolve(bound);
        });
      });
    },
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS);
    // A kept-alive connection is idle again only once its last answer has left.
    const sweep = setInterval(() => server.closeIdleConnections(), 20);
    server.close(() => {
      clearTimeout(force);
      clearInterval(sweep);
      resolve();
    });
  });
}

function write(outgoing: ServerResponse<IncomingMessage>, error: unknown): void {
  const { status, headers, body } = errorAnswer(error);
  outgoing.writeHead(status, headers).end(body);
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code !== "EADDRINUSE" && error.code !== "EACCES") return error;
  const why = error.code === "EACCES" ? "may not be used by you" : "is taken by another program";
  return new HubError(
    "PORT_TAKEN",
    `Port ${port} on ${host} ${why}. Choose another: huddle up --port 0 picks a free one, or set port in huddle.yaml.`,
    { port, host },
    { cause: error },
  );
}
