/*
 * `{{NAME.output}}` in a prompt stands for what a step put out. Any other text in double braces is the writer's own.
 */

const TEMPLATE = /\{\{\s*([A-Za-z0-9][A-Za-z0-9_-]{0,63})\.([A-Za-z_]+)\s*\}\}/g;

export type StepTemplate = { step: string; field: string /** As it is written. */; text: string };

export function templatesIn(prompt: string): StepTemplate[] {
  return [...prompt.matchAll(TEMPLATE)].map(([text, step = "", field = ""]) => ({ step, field, text }));
}

/** In one pass: what is put in is never looked at for templates. */
export function fillTemplates(prompt: string, outputOf: (step: string) => string | undefined): string {
  return prompt.replace(TEMPLATE, (text, step: string, field: string) =>
    field === "output" ? (outputOf(step) ?? text) : text,
  );
}
