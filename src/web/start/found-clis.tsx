import { useQuery } from "@tanstack/react-query";
import { hub } from "../hub/hub.js";
import { ShownText } from "../parts/shown-text.js";

/** Which CLIs could be connected here, in a sentence. */
export function FoundClis() {
  const { data } = useQuery({
    queryKey: ["backends"],
    queryFn: ({ signal }) => hub.backends({ signal }),
  });
  const found = data?.backends.filter(({ path }) => path !== null).map(({ label }) => label) ?? [];
  return <ShownText text={sayFound(found)} />;
}

function sayFound(labels: readonly string[]): string {
  const last = labels.at(-1);
  if (last === undefined) return "So that Claude Code, Codex, Gemini and others find each other.";
  if (labels.length === 1) return `${last} was found.`;
  return `${labels.slice(0, -1).join(", ")} and ${last} were found.`;
}
