/** What the agents of the demo say. */

export const cleaning = "Clean up: remove the folder build.";

export function isCleaning(prompt: string): boolean {
  return prompt.includes(cleaning);
}

type ScriptedStep = { name: string; prompt: string; answer: string };

/** The steps of the demo's workflow, each after the one before it, with what the scripted agent answers. */
export const steps: readonly ScriptedStep[] = [
  {
    name: "plan",
    prompt: "Write a plan for the login test.",
    answer: "Run it with a fixed clock, then fix what reads the real one.",
  },
  {
    name: "fix",
    prompt: "Carry out this plan: {{plan.output}}",
    answer: "The session read the real clock. It takes the clock as a parameter now.",
  },
  {
    name: "report",
    prompt: "Sum this up in one line: {{fix.output}}",
    answer: "The login test passes at any time of day.",
  },
];

/** Later steps first: the prompt of each holds what the steps before it put out. */
export function answerTo(prompt: string): string {
  const step = steps.findLast((each) => prompt.includes(each.prompt.replace(/\{\{.*$/, "").trim()));
  return step?.answer ?? "I have read it.";
}
