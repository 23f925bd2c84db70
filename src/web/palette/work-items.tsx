import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { HandHelping, Workflow } from "lucide-react";
import { hub } from "../hub/hub.js";
import { goTo } from "../shell/places.js";
import { Highlight } from "./highlight.js";
import { PaletteItem } from "./palette-item.js";
import { findFitting } from "./palette-items.js";

const FEW = 4;
/** Of each kind, the newest are looked through. */
const LOOKED_AT = 100;

/** Requests and workflows, by a few words of them. */
export function WorkItems({ words }: { words: string }) {
  const { data } = useQuery({
    queryKey: ["palette-work"],
    queryFn: async ({ signal }) => {
      const [{ requests }, { workflows }] = await Promise.all([
        hub.requests({ limit: LOOKED_AT }, { signal }),
        hub.workflows({ limit: LOOKED_AT }, { signal }),
      ]);
      return { requests, workflows };
    },
    staleTime: 5_000,
    enabled: words.length > 1,
  });
  if (words.length < 2 || data === undefined) return null;
  const requests = findFitting(
    data.requests,
    words,
    ({ description, from }) => `Request ${from} ${description}`,
    FEW,
  );
  const workflows = findFitting(data.workflows, words, ({ name }) => `Workflow ${name}`, FEW);
  if (requests.length + workflows.length === 0) return null;
  return (
    <Command.Group heading="Requests and workflows">
      {requests.map(({ request_id, description, from, status }) => (
        <PaletteItem
          key={request_id}
          value={`request ${request_id}`}
          icon={<HandHelping size={16} />}
          act={() => goTo({ page: "requests", id: request_id })}
          end={`${from} · ${status}`}
        >
          <Highlight text={description.replace(/\s+/g, " ").slice(0, 160)} words={words} />
        </PaletteItem>
      ))}
      {workflows.map(({ workflow_id, name, status }) => (
        <PaletteItem
          key={workflow_id}
          value={`workflow ${workflow_id}`}
          icon={<Workflow size={16} />}
          act={() => goTo({ page: "workflows", id: workflow_id })}
          end={status}
        >
          <Highlight text={name} words={words} />
        </PaletteItem>
      ))}
    </Command.Group>
  );
}
