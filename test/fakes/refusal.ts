import { HubError, type HubErrorCode } from "../../src/model/errors.js";

/** The refusal that a command was answered with; a success or any other error fails the test. */
export async function refusal(answer: Promise<unknown>): Promise<HubError> {
  const outcome = await answer.then(
    (value) => `answered ${JSON.stringify(value)}`,
    (error: unknown) => error,
  );
  if (outcome instanceof HubError) return outcome;
  if (outcome instanceof Error) throw outcome;
  throw new Error(`It was not refused: ${String(outcome)}`);
}

/** `ok`, or the code of the refusal. */
export function outcome(answer: Promise<unknown>): Promise<"ok" | HubErrorCode> {
  return answer.then(
    () => "ok" as const,
    (error: unknown) => {
      if (error instanceof HubError) return error.code;
      throw error;
    },
  );
}
