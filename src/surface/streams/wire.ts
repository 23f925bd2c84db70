/** One end of a stream, whatever carries it. */
export type Wire = {
  /** Hands over one frame; `seq` is absent for those that cannot be resumed after. */
  send(frame: string, seq?: number): void;
  /** Bytes handed over that the other side has not taken yet. */
  buffered(): number;
  end(reason: string): void;
};

/** Who feeds a wire. */
export type StreamReader = { drained(): void; drop(reason: string): void; close(): void };
