/** Cuts a stream of bytes into lines. */
type LineCutter = {
  push(chunk: Buffer): void;
  /** Bytes of the line that has not ended yet. */
  pending(): number;
  end(): void;
};

type LineHandlers = {
  onLine(line: Buffer): void;
  /** A line that is too long is not kept, but for its ends. */
  onTooLong(line: { size: number; head: string; tail: string }): void;
};

const END_KEPT = 512;

/** LF only: readline also splits on U+2028, which JSON allows. The last line needs none. Empty lines are left out. */
export function createLineCutter(limit: number, { onLine, onTooLong }: LineHandlers): LineCutter {
  let parts: Buffer[] = [];
  let size = 0;
  let head = "";
  let tail = "";

  function add(piece: Buffer): void {
    size += piece.length;
    if (size <= limit) {
      parts.push(piece);
      return;
    }
    if (parts.length > 0) head = Buffer.concat(parts, Math.min(END_KEPT, limit)).toString("utf8");
    parts = [];
    tail = (tail + piece.toString("utf8", Math.max(0, piece.length - END_KEPT))).slice(-END_KEPT);
  }

  function end(): void {
    if (size > limit) onTooLong({ size, head, tail });
    else if (size > 0) onLine(Buffer.concat(parts));
    parts = [];
    size = 0;
    head = "";
    tail = "";
  }

  return {
    push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        add(chunk.subarray(from, at));
        end();
        from = at + 1;
      }
      if (from < chunk.length) add(chunk.subarray(from));
    },
    pending: () => size,
    end,
  };
}
