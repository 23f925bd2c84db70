/** As the README has it: run in Huddle's folder. */
export const connectCommand = 'claude mcp add huddle -- node "$PWD/dist/mcp-bridge.cjs"';
