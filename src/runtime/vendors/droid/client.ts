import type { VendorClient } from "../client.js";

export const droid = {
  vendor: "droid",
  label: "Droid",
  cli: "droid",
  pattern: /^(factory|droid)/,
  patientAs: "factory-cli",
} as const satisfies VendorClient;
