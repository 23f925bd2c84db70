/*
 * What can name an agent in a tmux pane. A name with capitals or more hyphens could not be told apart in a session's name,
 * so agents in panes have narrower names than others.
 */

const core = /^[a-z][a-z0-9_]*$/;
const spawned = /^[a-z][a-z0-9_]*-[a-z0-9]+$/;

export const panePatterns: readonly string[] = [core.source, spawned.source];

export const paneNameHint =
  "use a-z, 0-9 and _ starting with a letter, and at most one hyphen before an instance, such as ana or ana-2";

/** An instance is part of the name, or beside it. */
export function paneTarget({ name, instance }: { name: string; instance?: string | undefined }): string {
  return instance === undefined || name.endsWith(`-${instance}`) ? name : `${name}-${instance}`;
}

export function fitsPane(target: string): boolean {
  return core.test(target) || spawned.test(target);
}
