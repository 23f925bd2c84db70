/** The end of a text that may be endless, such as what a process writes to its standard error. */
type TextTail = { add(text: string): void; read(): string };

export function createTextTail(limit: number): TextTail {
  let tail = "";
  return {
    add(text) {
      tail += text;
      // Cut in strides: cutting at every chunk would copy the whole tail each time.
      if (tail.length > 2 * limit) tail = tail.slice(-limit);
    },
    read: () => tail.slice(-limit),
  };
}
