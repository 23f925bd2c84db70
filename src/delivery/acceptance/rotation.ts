/** What waits, taken in turn of whose it is: whoever has much waiting keeps nobody else waiting for all of it. */
type Rotation<T> = { add(whose: string, item: T): void; next(): T | undefined };

export function createRotation<T>(): Rotation<T> {
  // In the order in which it is their turn; each has something waiting.
  const queues = new Map<string, T[]>();
  return {
    add(whose, item) {
      const queue = queues.get(whose);
      if (queue === undefined) queues.set(whose, [item]);
      else queue.push(item);
    },
    next() {
      const [first] = queues;
      if (first === undefined) return undefined;
      const [whose, queue] = first;
      const item = queue.shift();
      queues.delete(whose);
      if (queue.length > 0) queues.set(whose, queue);
      return item;
    },
  };
}
