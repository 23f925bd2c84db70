import { frameNumber } from "../../contract/socket/frames.js";
import { type JsonLimits, parseStrictJson } from "../../decoding/strict-json.js";
import { HubError } from "../../model/errors.js";

/** One frame of a client. `problem`: it cannot be done, and `n` is null where it had none that can be read. */
export type ClientFrame =
  | { n: number; op: string; fields: Record<string, unknown> }
  | { n: number | null; problem: HubError };

export function readFrame(bytes: Buffer, isBinary: boolean, limits: JsonLimits): ClientFrame {
  if (isBinary) return { n: null, problem: new HubError("BAD_JSON", "Send frames as text, not as binary") };
  let value: unknown;
  try {
    value = parseStrictJson(bytes, limits);
  } catch (error) {
    if (error instanceof HubError) return { n: null, problem: error };
    throw error;
  }
  if (!isObject(value)) {
    return { n: null, problem: invalid('A frame is a JSON object, such as {"n":1,"op":"send",…}') };
  }
  const { n, op, ...fields } = value;
  const number = frameNumber.safeParse(n);
  if (!number.success) {
    return { n: null, problem: invalid("n: number your frames, with whole numbers from 0 on") };
  }
  if (typeof op !== "string") return { n: number.data, problem: invalid("op: is missing") };
  return { n: number.data, op, fields };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalid(message: string): HubError {
  return new HubError("INVALID_INPUT", message);
}
