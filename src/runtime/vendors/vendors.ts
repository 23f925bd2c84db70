import type { Backend } from "../backend.js";
import { claudeCode } from "./claude-code/vendor.js";
import type { CliName, VendorName } from "./clients.js";
import { codex } from "./codex/vendor.js";
import { copilot } from "./copilot/vendor.js";
import { droid } from "./droid/vendor.js";
import { gemini } from "./gemini/vendor.js";
import { opencode } from "./opencode/vendor.js";
import { qwen } from "./qwen/vendor.js";
import type { Vendor } from "./vendor.js";

/** A vendor is a folder, a line here and one in `clients.ts`. */
export const vendors: Readonly<Record<VendorName, Vendor>> = {
  "claude-code": claudeCode,
  codex,
  gemini,
  qwen,
  droid,
  opencode,
  copilot,
};

export function vendorOf({ vendor }: Pick<Backend, "vendor">): Vendor | undefined {
  return vendor === undefined ? undefined : vendors[vendor];
}

const byCli = new Map(Object.values(vendors).map((vendor) => [vendor.screen.cli, vendor]));

export function vendorOfCli(cli: CliName): Vendor {
  const vendor = byCli.get(cli);
  if (vendor === undefined) throw new Error(`No vendor's CLI is ${cli}`);
  return vendor;
}
