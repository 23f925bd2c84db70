import { secretProblem } from "./secret-problem.js";
import type { SecretReference } from "./secret-reference.js";

type Environment = Readonly<Record<string, string | undefined>>;

export function readEnvironment(reference: SecretReference, env: Environment): string {
  const value = env[reference.name];
  if (value !== undefined) return value;
  throw secretProblem(
    reference,
    `is not set in the hub's environment. Set it and start the hub anew: export ${reference.name}=…; huddle down; huddle up`,
  );
}
