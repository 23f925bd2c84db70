import { Check } from "lucide-react";
import type { BackendList } from "../../client/hub-client.js";
import { CommandLine } from "../parts/empty-state.js";
import { ErrorCard } from "../parts/error-card.js";
import { Skeleton } from "../parts/skeleton.js";

type Backend = BackendList["backends"][number];

/** The CLIs that an agent can run on: what was found, or how to install it. */
export function BackendCards({
  backends,
  error,
  chosen,
  onChoose,
  retry,
}: {
  backends: readonly Backend[] | undefined;
  error: unknown;
  chosen: Backend | undefined;
  onChoose: (name: string) => void;
  retry: () => void;
}) {
  if (backends === undefined)
    return error === null ? (
      <Skeleton lines={2} label="Looking which CLIs are installed" />
    ) : (
      <ErrorCard title="The CLIs could not be listed" error={error} retry={retry} />
    );
  return (
    <>
      <div className="backends" role="radiogroup" aria-label="Backend">
        {foundFirst(backends).map((backend) => (
          <label
            key={backend.name}
            className={`backend ${backend.installed ? "" : "backend--missing"} ${backend === chosen ? "backend--chosen" : ""}`}
          >
            <input
              type="radio"
              className="backend__radio"
              name="backend"
              value={backend.name}
              checked={backend === chosen}
              onChange={() => onChoose(backend.name)}
            />
            <span className="backend__name">{backend.name}</span>
            {backend === chosen && <Check size={14} className="backend__check" aria-hidden="true" />}
            <span className="backend__about">{sayFound(backend)}</span>
          </label>
        ))}
      </div>
      {chosen !== undefined && !chosen.installed && (
        <div className="backend-install">
          <p className="spawn__hint">
            {chosen.label} was not found on this machine. Install it, then choose it again:
          </p>
          {chosen.install !== null && <CommandLine command={chosen.install} />}
        </div>
      )}
    </>
  );
}

function foundFirst(backends: readonly Backend[]): readonly Backend[] {
  return [
    ...backends.filter(({ installed }) => installed),
    ...backends.filter(({ installed }) => !installed),
  ];
}

function sayFound({ installed, version, checking, runtimes }: Backend): string {
  if (!installed) return "not found, install…";
  const ways = runtimes.flatMap(({ works, runtime }) => (works ? [runtime] : [])).join(", ");
  if (version !== null) return `${version}\n${ways}`;
  return checking ? `looking…\n${ways}` : `found\n${ways}`;
}
