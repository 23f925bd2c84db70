import { handoffBody } from "../../../contract/http/handoff.js";
import * as contract from "../../../contract/mcp/hand-off.js";
import { decode } from "../../../decoding/decode.js";
import { handOff as handOver } from "../../hand-off.js";
import { defineTool } from "../tool.js";

export const handOff = defineTool(contract.handOff, {
  onError: { delivered: false },
  async run(input, { ports, me, id }) {
    const body = decode(handoffBody, input, "arguments");
    const {
      seq: _,
      delayed_ms: __,
      ...handed
    } = await handOver(ports, { by: me, agent: me }, { ...body, id });
    return handed;
  },
});
