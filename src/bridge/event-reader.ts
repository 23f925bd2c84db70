/** Server-sent events: calls `onEvent` with the data of each. JSON has no line breaks of its own, so neither has it. */
export function createEventReader(onEvent: (data: string) => void): (chunk: Buffer) => void {
  const decoder = new TextDecoder();
  let rest = "";
  let data = "";
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data:")) data += line.slice(5).trimStart();
      if (line !== "" || data === "") continue;
      onEvent(data);
      data = "";
    }
  };
}
