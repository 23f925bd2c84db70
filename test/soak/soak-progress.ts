/** Says how far a long part is: on a terminal in place, otherwise a line every ten seconds. */
export type Progress = { done(count: number): void; end(): void };

const EVERY_MS = 10_000;
const IN_PLACE_MS = 500;
const MINUTE_MS = 60_000;

export type ProgressOptions = {
  name: string;
  count: number;
  /** Done by an earlier run. */
  before: number;
  violations: () => number;
};

export function showProgress({ name, count, before, violations }: ProgressOptions): Progress {
  const { isTTY } = process.stdout;
  const began = performance.now();
  let done = before;
  const show = () => {
    const ran = performance.now() - began;
    const left = done > before ? (ran * (count - done)) / (done - before) : undefined;
    const time = left === undefined ? `${Math.round(ran / 1000)} s so far` : `${minutes(left)} left`;
    const line = `${name} ${done}/${count}, ${violations()} violations, ${time}`;
    process.stdout.write(isTTY ? `\r${line}\u001b[K` : `${line}\n`);
  };
  const timer = setInterval(show, isTTY ? IN_PLACE_MS : EVERY_MS);
  return {
    done(now) {
      done = Math.min(now, count);
    },
    end() {
      clearInterval(timer);
      if (isTTY) process.stdout.write("\r\u001b[K");
    },
  };
}

function minutes(ms: number): string {
  return `${Math.ceil(ms / MINUTE_MS)} min`;
}
