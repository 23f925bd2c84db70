import { HubError } from "../../model/errors.js";
import { DriverProblem } from "./driver-problem.js";
import { loadDriver } from "./open.js";

/** Loads the driver before anything is opened: a driver that is missing says nothing about the file that met it first. */
export function requireDriver(): void {
  try {
    loadDriver();
  } catch (error) {
    if (!(error instanceof DriverProblem)) throw error;
    throw new HubError("DATABASE_UNAVAILABLE", error.message, {}, { cause: error });
  }
}
