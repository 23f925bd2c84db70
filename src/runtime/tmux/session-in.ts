/** Most CLIs say as they end how their session is taken up again: `codex resume ID`, `droid --resume ID`, `opencode -s ID`. */
export function sessionIn(words: string): string | undefined {
  return /(?:\bresume|\s-s)\s+([0-9a-f]{8}-[0-9a-f-]{27}|ses_\w+)/u.exec(words)?.[1];
}
