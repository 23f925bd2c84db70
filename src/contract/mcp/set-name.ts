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
    "Name your tab. The label is free text for people; the name that other agents see in list_agents and target with send_to_agent is made from it.",
  input,
  annotations: sets,
} as const satisfies ToolContract;
