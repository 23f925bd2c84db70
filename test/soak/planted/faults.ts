import { agentFaults } from "./agent-faults.js";
import { journalFaults } from "./journal-faults.js";
import { linkFaults } from "./link-faults.js";
import { mailFaults } from "./mail-faults.js";
import type { PlantedFault } from "./planted-fault.js";

/** By the number of the promise. */
export const plantedFaults: readonly PlantedFault[] = [
  ...journalFaults,
  ...mailFaults,
  ...agentFaults,
  ...linkFaults,
].sort((a, b) => a.promise - b.promise);
