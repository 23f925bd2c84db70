/**
 * How long a test waits for what must come: as long as its own time allows, because a busy machine may take far longer than a quiet
 * one. It is waited out only where the test fails.
 */
export const PATIENCE_MS = 90_000;
