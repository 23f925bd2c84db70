import type { Backend, Vendor } from "../backend.js";
import { claudeCode } from "./claude-code.js";
import { codex } from "./codex.js";
import { droid } from "./droid.js";
import { gemini } from "./gemini.js";
import { opencode } from "./opencode.js";
import { qwen } from "./qwen.js";
import type { VendorSpec } from "./vendor-spec.js";

export const vendorSpecs: Readonly<Record<Vendor, VendorSpec>> = {
  "claude-code": claudeCode,
  codex,
  gemini,
  qwen,
  droid,
  opencode,
};

export function specOf({ vendor }: Pick<Backend, "vendor">): VendorSpec | undefined {
  return vendor === undefined ? undefined : vendorSpecs[vendor];
}
