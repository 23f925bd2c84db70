import type { Backend, Vendor } from "../backend.js";
import { claudeCode } from "./claude-code/vendor.js";
import { codex } from "./codex/vendor.js";
import { droid } from "./droid/vendor.js";
import { gemini } from "./gemini/vendor.js";
import { opencode } from "./opencode/vendor.js";
import { qwen } from "./qwen/vendor.js";
import type { VendorSpec } from "./vendor.js";

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
