import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkProperty } from "../../../test/fakes/check-property.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { refusalOf } from "../../../test/refusal-of.js";
import { HubError } from "../../model/errors.js";
import { readDefinition } from "./read-definition.js";

function write(text: string | Uint8Array, name = "flow.yaml"): string {
  const file = join(tempFolder(), name);
  writeFileSync(file, text);
  return file;
}

/** What is complained of, as `line:column: problem`. */
function complaintsAbout(text: string, name?: string): string[] {
  const file = write(text, name);
  const { code, message } = refusalOf(() => readDefinition(file));
  expect(code).toBe("WORKFLOW_INVALID");
  const [head, ...lines] = message.split("\n");
  expect(head).toMatch(/has (a problem|\d+ problems); nothing was started:$/);
  return lines.map((line) => line.replace(`${file}:`, ""));
}

/** The lines of a workflow whose steps are these; the first line of the steps is the third. */
const flow = (...lines: string[]) => ["name: x", "steps:", ...lines, ""].join("\n");
const step = (...more: string[]) =>
  flow("  - agent: ann", "    prompt: do it", ...more.map((line) => `    ${line}`));

const known =
  "known: name, agent, backend, team, model, project, runtime, prompt, output_schema, checks, attempts, timeout_seconds, worktree, keep, depends_on, on, on_failure, approve";
const circle = "these steps depend on each other in a circle, so that none could begin";

test.each<[what: string, text: string, ...complaints: string[]]>([
  ["nothing", "", "1:1: the file must be keys with values, not nothing"],
  ["a list", "- a\n- b\n", "1:1: the file must be keys with values, not a list"],
  ["a word", "hello\n", '1:1: the file must be keys with values, not "hello"'],
  [
    "a bracket that is not closed",
    "name: x\nsteps: [\n",
    "3:1: this is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]",
  ],
  ["a tab", "name: x\nsteps:\n\t- agent: ann\n", "3:1: a tab is used to indent; use spaces"],
  [
    "an alias",
    "name: &n x\nsteps:\n  - agent: *n\n    prompt: y\n",
    "3:12: *n is an alias, which is not allowed here; write the value out",
  ],
  [
    "a tag",
    "name: !!js/function x\nsteps: []\n",
    "1:7: Unresolved tag: tag:yaml.org,2002:js/function; remove the tag",
  ],
  ["two documents", `${step()}---\nname: y\n`, "5:1: a second document starts here; keep one, without ---"],
  ["a key twice", `name: x\n${step()}`, '2:1: "name" is given twice; keep one of them'],
  ["a key twice in a step", step("agent: bob"), '5:5: "agent" is given twice; keep one of them'],
  ["no name", "steps:\n  - agent: ann\n    prompt: x\n", "1:1: name is missing; a workflow needs it"],
  ["no steps", "name: x\n", "1:1: steps is missing; a workflow needs it"],
  ["an empty list of steps", "name: x\nsteps: []\n", "2:8: a workflow has at least one step"],
  [
    "steps that are no list",
    "name: x\nsteps:\n  agent: ann\n",
    "3:3: steps must be a list, not keys with values",
  ],
  ["steps without a value", "name: x\nsteps:\n", "2:1: steps must be a list, not nothing"],
  [
    "a key that no workflow has",
    `${step()}stepz: 1\n`,
    '5:1: "stepz" is not a key of a workflow; did you mean steps?',
  ],
  ["a step that is a word", flow("  - ann"), '3:5: a step must be keys with values, not "ann"'],
  [
    "a misspelt key",
    flow("  - agent: ann", "    promt: x"),
    '4:5: "promt" is not a key of step 1; did you mean prompt?',
  ],
  [
    "a key in another spelling",
    step("dependsOn: [x]"),
    '5:5: "dependsOn" is not a key of step 1; did you mean depends_on?',
  ],
  ["a key that no step has", step("colour: red"), `5:5: "colour" is not a key of step 1; ${known}`],
  [
    "a prompt that is a number",
    flow("  - agent: ann", "    prompt: 5"),
    "4:13: prompt must be text, not 5; put it in quotes",
  ],
  ["an empty prompt", flow("  - agent: ann", '    prompt: ""'), "4:13: prompt must not be empty"],
  ["approve: yes", step("approve: yes"), '5:14: approve must be true or false, not "yes"'],
  [
    "an unknown condition",
    step("on: sucess"),
    "5:9: on must be one of success, failure, always; did you mean success?",
  ],
  [
    "an unknown policy",
    step("on_failure: contine"),
    "5:17: on_failure must be fail, continue or {retry: n}; did you mean continue?",
  ],
  ["no retries", step("on_failure: {retry: 0}"), "5:25: retry must be at least 1"],
  [
    "retries in words",
    step("on_failure: {retry: twice}"),
    "5:17: on_failure must be fail, continue or {retry: n}",
  ],
  ["no time", step("timeout_seconds: 0"), "5:22: timeout_seconds must be above 0"],
  ["a time with a unit", step("timeout_seconds: 5m"), '5:22: timeout_seconds must be a number, not "5m"'],
  ["one and a half attempts", step("attempts: 1.5"), "5:15: attempts must be a whole number, not 1.5"],
  ["too many attempts", step("attempts: 21"), "5:15: attempts must be at most 20"],
  ["a dependency outside of a list", step("depends_on: ann"), '5:17: depends_on must be a list, not "ann"'],
  [
    "an unknown runtime",
    step("runtime: acpp"),
    "5:14: runtime must be one of acp, headless, tmux; did you mean acp?",
  ],
  [
    "a check that is a number",
    step("checks: [unit, 5]"),
    "5:20: an entry of checks must be text, not 5; put it in quotes",
  ],
  [
    "a schema that is a list",
    step("output_schema: [x]"),
    "5:20: output_schema must be keys with values, not a list",
  ],
  [
    "a name with a space",
    step("name: a b"),
    "5:11: name takes letters, digits, - and _, at most 64, beginning with a letter or digit",
  ],
  ["a name without a value", step("name:"), "5:5: name must be text, not nothing"],
  [
    "a budget below nothing, in another currency",
    `${step()}budget:\n  usd: -1\n  euros: 5\n`,
    "6:8: usd must be above 0",
    '7:3: "euros" is not a key of the budget; known: usd, tokens',
  ],
  [
    "an unknown dependency",
    flow(
      "  - {name: build, agent: ann, prompt: x}",
      "  - agent: bob",
      "    prompt: y",
      "    depends_on:",
      "      - biuld",
    ),
    '7:9: no step is named "biuld"; did you mean "build"?',
  ],
  ["a step that depends on itself", step("name: a", "depends_on: [a]"), '6:18: "a" depends on itself'],
  [
    "a circle",
    flow(
      "  - {name: a, agent: ann, prompt: x, depends_on: [b]}",
      "  - {name: b, agent: ann, prompt: x, depends_on: [a]}",
    ),
    `3:51: ${circle}: a → b → a`,
  ],
  [
    "two equal names",
    flow("  - {name: a, agent: ann, prompt: x}", "  - {name: a, agent: ann, prompt: x}"),
    '4:12: two steps are named "a"; give this one another name',
  ],
  [
    "a template of a missing step",
    flow("  - agent: ann", "    prompt: |", "      Look at this:", "      then {{ nobody.output }} there"),
    '6:12: {{ nobody.output }}: no step is named "nobody"',
  ],
  [
    "a template of the step itself",
    flow("  - {name: a, agent: ann, prompt: 'x {{a.output}}'}"),
    "3:38: {{a.output}} is its own output, which it does not have yet",
  ],
  [
    "templates of a step that it does not depend on, and of what no step has",
    flow(
      "  - {name: a, agent: ann, prompt: x}",
      "  - {name: b, agent: ann, prompt: 'x {{a.output}} y {{a.result}}'}",
    ),
    '4:38: {{a.output}}: it does not depend on "a"; add it to depends_on',
    '4:53: {{a.result}}: a step has no "result"; write {{a.output}}',
  ],
  [
    "a step without a prompt",
    flow("  - agent: ann"),
    "3:5: it has no prompt; a step without one needs approve: true, and only asks the person",
  ],
  ["a step of nobody", flow("  - prompt: x"), "3:5: it does not say who does it: name an agent or a backend"],
  ["an agent and a backend", step("backend: codex"), "5:14: name either an agent or a backend, not both"],
  [
    "an approval by an agent",
    flow("  - approve: true", "    agent: ann"),
    "4:12: a step without a prompt only asks for approval: leave this out, or give it a prompt",
  ],
  [
    "a step that would never run",
    step("on: failure"),
    "5:9: it would never run: on: failure needs a step in depends_on",
  ],
  [
    "a wrong type, a circle, a template and an unknown key: all at once",
    flow(
      "  - {name: a, agent: 5, prompt: x, depends_on: [b]}",
      "  - {name: b, agent: ann, prompt: x, depends_on: [a]}",
      "  - {agent: ann, prompt: '{{nobody.output}}', extra: 1}",
    ),
    "3:22: agent must be text, not 5; put it in quotes",
    `3:49: ${circle}: a → b → a`,
    '5:27: {{nobody.output}}: no step is named "nobody"',
    `5:47: "extra" is not a key of step 3; ${known}`,
  ],
])("a file with %s is refused at its place", (_, text, ...complaints) => {
  expect(complaintsAbout(text)).toEqual(complaints);
});

test("JSON is read as well, and what is wrong with it is said at its place", () => {
  const text = '{\n\t"name": "x",\n\t"steps": [\n\t\t{"agent": "ann", "promt": "x"}\n\t]\n}\n';
  expect(complaintsAbout(text, "flow.json")).toEqual([
    '4:20: "promt" is not a key of step 1; did you mean prompt?',
  ]);
  expect(complaintsAbout('{"name": "x", "steps": [}', "flow.json")[0]).toMatch(
    /^1:25: this is not valid YAML/,
  );
});

test("a file that says where its schema is, is fine", () => {
  const json =
    '{"$schema": "../workflow.schema.json", "name": "x", "steps": [{"agent": "ann", "prompt": "p"}]}';
  expect(readDefinition(write(json, "flow.json")).definition).toMatchObject({ name: "x" });
  expect(complaintsAbout('{"$schema": 5, "name": "x", "steps": [{"agent": "ann", "prompt": "p"}]}')).toEqual([
    '1:2: "$schema" is not a key of a workflow; known: name, project, steps, budget',
  ]);
});

test("a thousand problems are told in part, with their number", () => {
  const steps = Array.from({ length: 1000 }, () => "  - {agent: 5, prompt: x}");
  const complaints = complaintsAbout(flow(...steps));
  expect(complaints).toHaveLength(51);
  expect(complaints.at(-1)).toBe("and 950 more");
});

test("a folder is meant from where the file is; without one it is the folder of the person", () => {
  const folder = tempFolder();
  mkdirSync(join(folder, "flows"));
  const file = join(folder, "flows", "x.yaml");
  writeFileSync(file, `project: ..\n${step("project: sub")}`);
  const { definition } = readDefinition(file);
  expect(definition.project).toBe(folder);
  expect(definition.steps[0]?.project).toBe(join(folder, "flows", "sub"));
  expect(readDefinition(write(step())).definition.project).toBe(resolve("."));
});

test("a file that cannot be read is wrong use", () => {
  const complaintOf = (file: string) => {
    const { code, message } = refusalOf(() => readDefinition(file));
    return `${code}: ${message.replace(file, "F")}`;
  };
  expect(complaintOf(join(tempFolder(), "none.yaml"))).toBe("INVALID_INPUT: There is no file F");
  expect(complaintOf(tempFolder())).toBe("INVALID_INPUT: F is not a file");
  expect(complaintOf(write(Uint8Array.of(0xff, 0xfe)))).toBe(
    "INVALID_INPUT: F is not UTF-8 text; save it as UTF-8",
  );
});

test("no text crashes the reader", () => {
  checkProperty(
    fc.property(fc.string(), (text) => {
      const file = write(text);
      try {
        readDefinition(file);
      } catch (error) {
        expect(error).toBeInstanceOf(HubError);
      }
    }),
  );
});
