import { HubError } from "../src/model/errors.js";

/** The HubError that an act is refused with; anything else fails the test. */
export function refusalOf(act: () => unknown): HubError {
  try {
    act();
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}
