import { instructionsFor, type Self } from "../../model/instructions.js";
import { NAME_PATTERN } from "../../model/names.js";
import type { ToolsetName } from "../../model/toolset.js";
import { findClient } from "../../runtime/vendors/clients.js";
import type { Caller } from "../caller/auth.js";

type Asked = {
  set: ToolsetName;
  caller: Caller;
  /** `name/version` of the program, as the bridge says it. */
  client: string | undefined;
  /** The name that a visitor is going to register under, if it says so. */
  wished: string | undefined;
};

/** What a client is told as it begins. */
export function greet({ set, caller, client, wished }: Asked): string {
  return instructionsFor(set, { self: selfOf(caller, wished), namesakes: namesakesOf(client) });
}

function selfOf(caller: Caller, wished: string | undefined): Self | undefined {
  if (caller.kind === "agent") {
    const { name, team, project } = caller.agent;
    return { kind: "known", name, team, project };
  }
  if (caller.kind !== "join" || wished === undefined || !NAME_PATTERN.test(wished)) return undefined;
  return { kind: "wished", name: wished };
}

function namesakesOf(client = "") {
  const known = findClient(client);
  return known !== undefined && "namesakes" in known ? known.namesakes : undefined;
}
