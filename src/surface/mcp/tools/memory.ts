import { memoryRoutes } from "../../../contract/http/memory.js";
import * as contract from "../../../contract/mcp/memory.js";
import { decode } from "../../../decoding/decode.js";
import { quoteBlock } from "../../../model/others-words.js";
import { showMemory } from "../../shown/memory-view.js";
import { defineTool } from "../tool.js";

export const shareMemory = defineTool(contract.shareMemory, {
  async run(input, { ports, me, id }) {
    // The route's own schema: a pattern would be paid for in the context of every agent.
    const memory = decode(memoryRoutes.share.body, input, "arguments");
    const { isNew: _, ...shared } = await ports.execute("shareMemory", { by: me, id, ...memory });
    return { name: memory.name, ...shared };
  },
});

/** Somebody else wrote it: what reads as the hub's own words is quoted. */
export const getMemory = defineTool(contract.getMemory, {
  run({ name, version }, { ports, me }) {
    const { versions, content, ...memory } = showMemory(name, version, ports, me);
    return {
      ...memory,
      content: quoteBlock(content),
      older: versions.filter((one) => one.version < memory.version).map((one) => one.version),
    };
  },
});
