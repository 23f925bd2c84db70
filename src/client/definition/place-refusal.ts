import { z } from "zod";
import { HubError } from "../../model/errors.js";
import type { Path } from "../parse-yaml.js";
import { definitionInvalid } from "./definition-problem.js";
import type { ParsedDefinition } from "./parse-definition.js";

const told = z.array(z.object({ field: z.string(), problem: z.string() })).min(1);

/** What only the hub knows to be wrong, such as unknown agents, said at its place in the file; other refusals stay. */
export function placeRefusal(
  error: unknown,
  file: string,
  { place }: Pick<ParsedDefinition, "place">,
): unknown {
  if (!(error instanceof HubError)) return error;
  const issues = told.safeParse(error.details["issues"]);
  if (!issues.success) return error;
  const problems = issues.data.map(({ field, problem }) =>
    place({ path: pathOfField(field), part: "value", message: problem }),
  );
  return definitionInvalid(file, problems, { cause: error });
}

/** `steps.2.depends_on.0`, as the hub names a field. */
function pathOfField(field: string): Path {
  return field.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
