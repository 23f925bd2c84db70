/** A file beside an agent's identity: its bridge has told the CLI which tools there are. */
export const toolsListedMark = "tools-listed";
