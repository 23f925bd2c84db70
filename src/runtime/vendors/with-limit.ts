import type { Backend } from "../backend.js";
import type { TurnEnd } from "../runtime.js";
import { vendorOf } from "./vendors.js";

/** Some say only in their last words why a turn failed. */
const LAST_WORDS = 500;

/** A turn's end, with the vendor's usage limit if that is what it failed by. */
export function withLimit(end: TurnEnd, backend: Backend): TurnEnd {
  const vendor = vendorOf(backend);
  if (end.stop !== "error" || vendor === undefined) return end;
  const now = new Date();
  const limit = vendor.readLimit(end.error ?? "", now) ?? vendor.readLimit(end.text.slice(-LAST_WORDS), now);
  return limit === undefined ? end : { ...end, limit };
}
