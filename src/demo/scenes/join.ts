import { z } from "zod";
import { expectThat, type Scene } from "../stage.js";

const roster = z.object({ agents: z.array(z.object({ name: z.string() })) });

export const join: Scene = {
  title: "Join",
  text: "Three agents connect over MCP, as Claude Code or Codex would. Each gets a name and an inbox.",
  async play({ ann, bob, cleo, client, line, pause }) {
    for (const agent of [ann, bob, cleo]) {
      await agent.call("list_agents", {}, roster);
      line(`${agent.name} has joined`);
      await pause(700);
    }
    const { agents } = await client.listAgents();
    const names = agents.map(({ name }) => name).sort();
    expectThat(names.join() === "ann,bob,cleo", `ann, bob and cleo are there (found ${names.join(", ")})`);
    return "ann, bob and cleo see each other";
  },
};
