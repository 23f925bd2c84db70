/** Wall time is for people; monotonic time is what hub time is built from. Both in milliseconds. */
export type Clock = {
  wall(): number;
  monotonic(): number;
};

export const systemClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
};
