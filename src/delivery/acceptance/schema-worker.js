// Looks whether answers fit JSON Schemas, and whether schemas are any. In a thread of its own: a regular expression or a
// reference in a schema can take for ever, and then the thread is ended.
import { parentPort } from "node:worker_threads";
import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { findJson } from "./find-json.js";
import { formats } from "./formats.js";

const MOST_PROBLEMS = 20;
const MOST_OF_ONE = 300;

/**
 * @typedef {{ field: string, problem: string }} Issue
 * @typedef {{ text: string, isCut: boolean }} Answer
 * @typedef {{ id: number, schema: Record<string, unknown>, answer?: Answer }} Job
 * @typedef {{ id: number, invalid?: Issue[], problems?: string[] }} Outcome
 */

parentPort?.on("message", (/** @type {Job} */ job) => parentPort?.postMessage({ id: job.id, ...look(job) }));

// It can begin: what it takes to load is not counted.
parentPort?.postMessage({ id: 0 });

/** @param {Job} job @returns {Omit<Outcome, "id">} */
function look({ schema, answer }) {
  const ajv = open(schema);
  let fits;
  try {
    if (ajv.validateSchema(schema) !== true) return { invalid: issuesOf(ajv.errors) };
    fits = ajv.compile(schema);
  } catch (error) {
    // A reference that leads nowhere, a regular expression that is none, a vocabulary that is not known.
    return {
      invalid: [{ field: "", problem: bound(error instanceof Error ? error.message : String(error)) }],
    };
  }
  if (answer === undefined) return {};
  const found = findJson(answer.text, answer.isCut);
  if ("problem" in found) return { problems: [found.problem] };
  if (fits(found.value) === true) return { problems: [] };
  return { problems: (fits.errors ?? []).slice(0, MOST_PROBLEMS).map(inWords) };
}

/** What says nothing else is of 2020-12. @param {Record<string, unknown>} schema */
function open({ $schema }) {
  // Keywords and formats that are not known say nothing, as the specification has it.
  const options = {
    allErrors: true,
    strict: false,
    formats,
    logger: /** @type {false} */ (false),
  };
  const version = typeof $schema === "string" ? $schema : "";
  if (/draft-0[67]/.test(version)) return new Ajv(options);
  return version.includes("2019-09") ? new Ajv2019(options) : new Ajv2020(options);
}

/** @typedef {{ instancePath: string, message?: string, params: Record<string, unknown>, keyword: string }} AjvError */

/** @param {AjvError[] | null | undefined} errors @returns {Issue[]} */
function issuesOf(errors) {
  // The first at a place says what is wrong there; the others follow from it.
  const firsts = new Map((errors ?? []).toReversed().map((error) => [error.instancePath, error]));
  return [...firsts.values()]
    .toReversed()
    .slice(0, MOST_PROBLEMS)
    .map(({ instancePath, message }) => ({
      field: bound(instancePath),
      problem: bound(message ?? "is wrong"),
    }));
}

/** @param {AjvError} error */
function inWords({ instancePath, message = "does not fit", params, keyword }) {
  const where = instancePath === "" ? "the whole" : instancePath;
  return bound(`${where}: ${message}${more(keyword, params)}`);
}

/** @param {string} keyword @param {Record<string, unknown>} params */
function more(keyword, params) {
  if (keyword === "additionalProperties") return `: ${String(params["additionalProperty"])}`;
  if (keyword === "enum") return `: ${JSON.stringify(params["allowedValues"])}`;
  return keyword === "const" ? `: ${JSON.stringify(params["allowedValue"])}` : "";
}

/** @param {string} text */
function bound(text) {
  return text.length <= MOST_OF_ONE ? text : `${text.slice(0, MOST_OF_ONE - 1)}…`;
}
