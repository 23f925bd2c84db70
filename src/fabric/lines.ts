import type { z } from "zod";
import {
  type FabricAdmission,
  type FabricRequest,
  fabricAdmission,
  fabricRequest,
} from "../contract/link/fabric.js";
import { HubError } from "../model/errors.js";

/* What goes from a hub to the steward and back, as one line each that can be pasted or piped. Neither is a secret. */

const REQUEST = "huddle-fabric-request";
const ADMISSION = "huddle-fabric-admission";

export const writeRequest = (request: FabricRequest) => write(REQUEST, request);
export const writeAdmission = (admission: FabricAdmission) => write(ADMISSION, admission);

export function readRequest(line: string): FabricRequest {
  return read(
    REQUEST,
    fabricRequest,
    line,
    "a request. It is printed by huddle fabric request at the hub that wants to join",
  );
}

export function readAdmission(line: string): FabricAdmission {
  return read(
    ADMISSION,
    fabricAdmission,
    line,
    "an admission. It is printed by huddle fabric admit at the steward",
  );
}

function write(what: string, value: unknown): string {
  return `${what}:${Buffer.from(JSON.stringify(value)).toString("base64url")}`;
}

/** Terminals and chats break long lines. */
function read<S extends z.ZodType>(what: string, schema: S, line: string, name: string): z.output<S> {
  const [, before, text] = /([a-z-]+):([\w-]+)$/.exec(line.replace(/\s+/g, "")) ?? [];
  const value = before === what && text !== undefined ? schema.safeParse(parse(text)) : undefined;
  if (value?.success === true) return value.data;
  const mixed = before === REQUEST || before === ADMISSION ? " The other of the two was given." : "";
  throw new HubError(
    "FABRIC_LINE_INVALID",
    `This is not ${name}; paste all of it.${before === what ? "" : mixed}`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
