import type { PlacedProblem } from "../../client/definition/definition-problem.js";
import type { ParsedDefinition } from "../../client/definition/parse-definition.js";
import { hub } from "../hub/hub.js";
import { resolveFolder } from "./resolve-folder.js";

/*
 * A definition that somebody gives the page is read and checked as `huddle workflow run` does it, by the same code. That code,
 * with its parser of YAML, is loaded with the dialog.
 */

export type Checked =
  | { kind: "valid"; parsed: ParsedDefinition }
  | { kind: "invalid"; problems: readonly PlacedProblem[] };

const load = () =>
  Promise.all([
    import("../../client/definition/parse-definition.js"),
    import("../../client/definition/definition-problem.js"),
    import("../../client/definition/place-refusal.js"),
  ]);

export async function checkDefinition(text: string, file: string): Promise<Checked> {
  const [{ parseDefinition }, { problemsIn }] = await load();
  try {
    return { kind: "valid", parsed: parseDefinition(text, file) };
  } catch (error) {
    const problems = problemsIn(error);
    if (problems === undefined) throw error;
    return { kind: "invalid", problems };
  }
}

export type Started =
  | { kind: "started"; id: string }
  | { kind: "invalid"; problems: readonly PlacedProblem[] };

/** Runs it; what only the hub knows to be wrong is said at its place in the text. */
export async function runDefinition(
  parsed: ParsedDefinition,
  file: string,
  folder: string,
): Promise<Started> {
  const [{ withFolders }, { problemsIn }, { placeRefusal }] = await load();
  const usual = folder === "" ? undefined : folder;
  const from = (one: string) => resolveFolder(folder, one);
  try {
    const created = await hub.createWorkflow(withFolders(parsed.definition, { from, usual }));
    return { kind: "started", id: created.workflow_id };
  } catch (refusal) {
    const error = placeRefusal(refusal, file, parsed);
    const problems = problemsIn(error);
    if (problems === undefined) throw error;
    return { kind: "invalid", problems };
  }
}

const LARGEST = 16 * 1024 * 1024;

/** The text of a file, or a sentence that says why it cannot be read. */
export async function readText(file: File): Promise<string> {
  if (file.size > LARGEST) throw new Error(`${file.name} is larger than 16 MiB, which no workflow needs`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch (error) {
    throw new Error(`${file.name} is not UTF-8 text; save it as UTF-8`, { cause: error });
  }
}
