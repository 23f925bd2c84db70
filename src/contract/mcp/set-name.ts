import { z } from "zod";
import { sets, type ToolContract } from "./tool.js";

const input = z.strictObject({ name: z.string().min(1).max(200) });

export const setName = {
  name: "set_name",
  description: "Change the name under which others reach you. A taken name gets a number.",
  input,
  annotations: sets,
} as const satisfies ToolContract;

export const setTabName = {
  name: "set_tab_name",
  description:
    "Name your tab. Other agents see this name in list_agents and can target it with send_to_agent.",
  input,
  annotations: sets,
} as const satisfies ToolContract;
