import { toolsetNames } from "../../src/model/toolset.js";
import type { Tool } from "../../src/surface/mcp/tool.js";
import { toolsets } from "../../src/surface/mcp/toolsets.js";
import type { Part } from "./blocks.js";
import { fieldTable } from "./field-table.js";
import { code, paragraphs, table } from "./markdown.js";

export function toolParts(): Part[] {
  const rows = toolsetNames.map((set) => [code(set), toolsets[set].map(({ name }) => code(name)).join(", ")]);
  const tools = new Set(toolsetNames.flatMap((set) => toolsets[set]));
  return [
    ["tool sets", table(["Set", "Tools"], rows)],
    ["tools", paragraphs(...[...tools].map(writeTool))],
  ];
}

/** A name may stand for another tool in another set. */
function writeTool(tool: Tool): string {
  const sets = toolsetNames.filter((set) => toolsets[set].includes(tool)).map(code);
  return paragraphs(
    `**${code(tool.name)}** (${sets.join(", ")}): ${tool.description}`,
    fieldTable("Argument", tool.inputSchema, "all"),
  );
}
