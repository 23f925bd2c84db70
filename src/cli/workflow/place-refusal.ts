import { z } from "zod";
import type { Path } from "../../client/parse-yaml.js";
import { HubError } from "../../model/errors.js";
import { nearest } from "../../model/nearest.js";
import { type DefinitionProblem, definitionInvalid } from "./definition-problem.js";
import type { DefinitionFile } from "./read-definition.js";

const issues = z.array(z.object({ field: z.string(), problem: z.string() })).min(1);
const names = z.array(z.string());

/** What the hub has against a definition, said at its place in the file; any other refusal stays as it is. */
export function placeRefusal(error: unknown, file: string, read: DefinitionFile): unknown {
  if (!(error instanceof HubError)) return error;
  const problems = problemsOf(error, read);
  return problems.length === 0 ? error : definitionInvalid(file, problems.map(read.place), { cause: error });
}

function problemsOf(error: HubError, { definition, written }: DefinitionFile): DefinitionProblem[] {
  const told = issues.safeParse(error.details["issues"]);
  if (told.success) return told.data.map(({ field, problem }) => at(pathOfField(field), problem));
  const { steps } = definition;
  const { name, project } = error.details;
  switch (error.code) {
    case "AGENT_NOT_FOUND":
    case "AGENT_GONE":
    case "NAME_AMBIGUOUS":
      return steps.flatMap(({ agent }, index) =>
        agent !== undefined && (agent === name || error.message.includes(`"${agent}"`))
          ? [at(["steps", index, "agent"], describeAgent(error, agent))]
          : [],
      );
    case "BACKEND_UNKNOWN":
      return steps.flatMap(({ backend }, index) =>
        backend !== undefined && error.message.includes(`"${backend}"`)
          ? [at(["steps", index, "backend"], `${error.message}${meant(backend, error)}`)]
          : [],
      );
    case "PROJECT_NOT_ALLOWED":
      return [
        ...(written.project !== undefined && definition.project === project
          ? [at(["project"], error.message)]
          : []),
        ...steps.flatMap((step, index) =>
          step.project !== undefined && step.project === project
            ? [at(["steps", index, "project"], error.message)]
            : [],
        ),
      ];
    default:
      return [];
  }
}

function describeAgent(error: HubError, agent: string): string {
  if (error.code !== "AGENT_NOT_FOUND") return error.message;
  const { renamed_to: renamed } = error.details;
  if (typeof renamed === "string") return `no agent is named "${agent}" any more: it is now ${renamed}`;
  return `no agent and no backend is named "${agent}"${meant(agent, error)}`;
}

function meant(name: string, { details }: HubError): string {
  const known = names.safeParse(details["available"]);
  if (!known.success || known.data.length === 0) return "";
  const close = nearest(name, known.data);
  return close === undefined ? `; known: ${known.data.join(", ")}` : `; did you mean ${close}?`;
}

function at(path: Path, message: string): DefinitionProblem {
  return { path, part: "value", message };
}

/** `steps.2.depends_on.0`, as the hub names a field. */
function pathOfField(field: string): Path {
  return field.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
