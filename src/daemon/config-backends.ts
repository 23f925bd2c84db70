import { z } from "zod";
import { schemaCheck } from "../model/task.js";
import { toolsetNames } from "../model/toolset.js";
import { permissionPolicies, runtimeKinds } from "../runtime/backend.js";
import { isOwn } from "../runtime/process/environment.js";
import { vendorNames } from "../runtime/vendors/clients.js";
import { structured } from "./config-leaf.js";

/** The agents' CLIs: what a person changes of the built-in ones, and those that they add. */

const words = (list: readonly string[]) => `must be one of ${list.join(", ")}`;
const text = z.string({ error: "must be a text" }).min(1, "must not be empty");
const list = z.array(text, { error: "must be a list, such as [--flag, value]" });
const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "is not the name of an environment variable")
  .refine((name) => !isOwn(name), "is a variable of Huddle's own, which agents do not get");

/** A map by name. What is wrong with a name is said in its own words, not as "invalid key". */
function byName<V extends z.ZodType>(key: z.ZodString, value: V, otherwise: string) {
  return z.record(key, value, {
    error: (issue) => {
      if (issue.code === "invalid_type") return otherwise;
      return issue.code === "invalid_key" ? issue.issues[0]?.message : undefined;
    },
  });
}

const backend = z.strictObject(
  {
    like: z.enum(vendorNames, { error: words(vendorNames) }).optional(),
    command: text.optional(),
    acp: list.min(1, "must name a program").optional(),
    args: list.optional(),
    env: byName(
      variable,
      z.string({ error: "must be a text; quote it" }),
      "must hold variables by name, indented below it",
    ).optional(),
    runtime: z.enum(runtimeKinds, { error: words(runtimeKinds) }).optional(),
    permissions: z.enum(permissionPolicies, { error: words(permissionPolicies) }).optional(),
    tools: z.enum(toolsetNames, { error: words(toolsetNames) }).optional(),
    worktree: z.boolean({ error: "must be true or false" }).optional(),
    mode: text.optional(),
  },
  {
    error: (issue) =>
      issue.code === "invalid_type" ? "must hold keys of its own, indented below it" : undefined,
  },
);

const name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "is no name for a backend: use a-z, 0-9, - and _, at most 64");

export const backends = structured(
  byName(name, backend, "must hold backends by name, indented below it"),
  {},
  `The agents' CLIs: changes to ${vendorNames.slice(0, -1).join(", ")} and ${vendorNames.at(-1)}, and others by name.`,
);

/** What the key `default_backend` says while nobody has chosen one. */
export const NO_BACKEND = "none";

export const defaultBackend = structured(
  z.string({ error: "must be the name of a backend" }).min(1, "must not be empty"),
  NO_BACKEND,
  "What an agent runs on when whoever spawns it names no backend and has none; none: such a session is only an inbox.",
);

/** The problem with a default that names no backend, if it is one. */
export function checkDefault(named: string, added: Readonly<Record<string, unknown>>): string | undefined {
  const known = [...new Set<string>([...vendorNames, ...Object.keys(added)])].sort();
  if (named === NO_BACKEND || known.includes(named)) return undefined;
  return `names no backend; there are ${known.join(", ")}`;
}

export const checks = structured(
  byName(
    z
      .string()
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
        "is no name for a check: use letters, digits, ., - and _, at most 64",
      )
      .refine((given) => given !== schemaCheck, "is the name of the check that every output schema is"),
    list.min(1, "must name a program"),
    "must hold checks by name, such as unit: [npm, test]",
  ),
  {},
  "Checks that tasks can ask for by name: a program and its arguments each. No shell reads them.",
);

export const allowedRoots = structured(
  z
    .array(text.regex(/^(~$|~\/|\/)/, "must be an absolute path, or begin with ~/"))
    .min(1, "must name a folder"),
  ["~"],
  "The folders below which hosted agents may work.",
);
