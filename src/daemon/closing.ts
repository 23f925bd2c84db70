/** Whatever opens registers its closing here; they run in reverse, and one that fails does not stop the others. */
type Closing = { add(name: string, close: () => void | Promise<void>): void; run(): Promise<void> };

export function createClosing(): Closing {
  const steps: { name: string; close: () => void | Promise<void> }[] = [];
  let running: Promise<void> | undefined;
  async function runAll() {
    const failures: Error[] = [];
    for (const { name, close } of steps.reverse()) {
      try {
        await close();
      } catch (error) {
        failures.push(new Error(`closing ${name} failed`, { cause: error }));
      }
    }
    if (failures.length > 0)
      throw new AggregateError(failures, failures.map(({ message }) => message).join("; "));
  }
  return {
    add(name, close) {
      steps.push({ name, close });
    },
    run() {
      running ??= runAll();
      return running;
    },
  };
}
