/** The promise's outcome, or an error that says what took too long. */
export function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms / 1000} s`)), ms);
    promise.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
