import { useQuery } from "@tanstack/react-query";
import { Check, Copy, Minus, TriangleAlert } from "lucide-react";
import type { BackendList } from "../../client/hub-client.js";
import { hub } from "../hub/hub.js";
import { useAgents } from "../hub/use-agents.js";
import { IconButton } from "../parts/button.js";
import { copyText } from "../parts/copy-text.js";
import { ErrorCard } from "../parts/error-card.js";
import { Skeleton } from "../parts/skeleton.js";
import { HealthCard } from "./health-card.js";

type Backend = BackendList["backends"][number];

/** The vendors' CLIs: which version was found, who runs on it, in which ways it works, how to install it. */
export function BackendsCard() {
  const { data, error, refetch } = useQuery({
    queryKey: ["backends"],
    queryFn: ({ signal }) => hub.backends({ signal }),
    // CLIs are slow to say which version they are.
    refetchInterval: ({ state }) =>
      state.data?.backends.some(({ checking }) => checking) === true ? 1_000 : false,
  });
  const agents = useAgents();
  const found = data?.backends ?? [];
  return (
    <HealthCard
      title="Backends"
      about={data === undefined ? undefined : found.filter(({ installed }) => installed).length}
    >
      {data === undefined && error === null && (
        <div className="health-card__waits">
          <Skeleton lines={4} label="Looking which CLIs are installed" />
        </div>
      )}
      {data === undefined && error !== null && (
        <div className="health-card__waits">
          <ErrorCard title="The CLIs could not be listed" error={error} retry={() => void refetch()} />
        </div>
      )}
      {data !== undefined && (
        <table className="health-table">
          <thead className="visually-hidden">
            <tr>
              <th scope="col">Backend</th>
              <th scope="col">Version</th>
              <th scope="col">Agents</th>
              <th scope="col">Runs by, or how to install it</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {foundFirst(found).map((backend) => (
              <BackendRow
                key={backend.name}
                backend={backend}
                agents={agents.filter((agent) => agent.backend === backend.name).length}
              />
            ))}
          </tbody>
        </table>
      )}
    </HealthCard>
  );
}

function BackendRow({ backend, agents }: { backend: Backend; agents: number }) {
  const { name, version, checking, installed, install } = backend;
  const ways = backend.runtimes.flatMap(({ works, runtime }) => (works ? [runtime] : []));
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="health-table__mono">{version ?? (checking ? "looking…" : installed ? "–" : "none")}</td>
      <td>{agents === 0 ? "–" : `${agents} agent${agents === 1 ? "" : "s"}`}</td>
      <td className="health-table__wide">
        {installed || install === null ? (
          ways.join(", ") || "–"
        ) : (
          <span className="health-install">
            <code>{install}</code>
            <IconButton
              label={`Copy ${install}`}
              icon={<Copy size={13} />}
              onClick={() => copyText(install, "Command copied")}
            />
          </span>
        )}
      </td>
      <td>
        <FoundWord backend={backend} agents={agents} />
      </td>
    </tr>
  );
}

function foundFirst(backends: readonly Backend[]): readonly Backend[] {
  return backends.toSorted((a, b) => Number(b.installed) - Number(a.installed));
}

/** What nobody runs on need not be there. */
function FoundWord({ backend: { installed }, agents }: { backend: Backend; agents: number }) {
  if (installed)
    return (
      <span className="health-word health-word--well">
        <Check size={13} aria-hidden="true" /> found
      </span>
    );
  return agents > 0 ? (
    <span className="health-word health-word--wrong">
      <TriangleAlert size={13} aria-hidden="true" /> not found
    </span>
  ) : (
    <span className="health-word">
      <Minus size={13} aria-hidden="true" /> not found
    </span>
  );
}
