import type { Workflow } from "../../client/hub-client.js";
import { EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK } from "../exit-codes.js";

const EXIT_CANCELLED = 8;
/** It was left while it waits for the person. */
const EXIT_WAITING = 9;

export function isOver({ status }: Pick<Workflow, "status">): boolean {
  return status !== "running" && status !== "waiting";
}

/** What a script reads: how it ended, or in which state it was left. */
export function resultCode({ status }: Pick<Workflow, "status">): number {
  switch (status) {
    case "done":
      return EXIT_OK;
    case "failed":
      return EXIT_FAILED;
    case "cancelled":
      return EXIT_CANCELLED;
    case "waiting":
      return EXIT_WAITING;
    case "running":
      return EXIT_INTERRUPTED;
  }
}
