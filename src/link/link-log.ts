/** The hub's own log, as links use it. */
export type LinkLog = {
  info(facts: Record<string, unknown>, sentence: string): void;
  warn(facts: Record<string, unknown>, sentence: string): void;
};
