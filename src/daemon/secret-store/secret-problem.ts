import { HubError } from "../../model/errors.js";
import { type SecretReference, writeReference } from "./secret-reference.js";

/** One sentence on what is wrong with a secret, with the command that fixes it. Never any of the secret itself. */
export function secretProblem(
  reference: SecretReference,
  sentence: string,
  options?: ErrorOptions,
): HubError {
  return new HubError(
    "SECRET_UNUSABLE",
    `The secret ${writeReference(reference)} ${sentence}`,
    { reference: writeReference(reference) },
    options,
  );
}
