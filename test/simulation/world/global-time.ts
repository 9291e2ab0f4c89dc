import { simulatedProcess } from './simulated-process.ts';

type Timer = { readonly stop: () => void; readonly ref: () => Timer; readonly unref: () => Timer };
type Work = (...given: unknown[]) => void;

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  now: Date.now,
  monotonic: performance.now.bind(performance),
  random: Math.random,
};

/** Resolves when the code that could run has run: until then nothing else happens in the world. */
export const settled = (): Promise<void> => new Promise((resolve) => void real.setImmediate(resolve));

interface SimulatedTime {
  readonly wallClock: () => number;
  readonly time: { readonly now: number };
  readonly draw: () => number;
}

/**
 * Puts virtual time in the place of timers, clock and chance of this thread, for code that a simulated process runs.
 * Other code keeps the real ones. Returns how to put all back.
 */
export function replaceGlobals(world: SimulatedTime): () => void {
  Object.assign(globalThis, { setTimeout: later, clearTimeout: stop, setInterval: again, clearInterval: stop });
  Date.now = () => (simulatedProcess() ? world.wallClock() : real.now());
  performance.now = () => (simulatedProcess() ? world.time.now : real.monotonic());
  Math.random = () => (simulatedProcess() ? world.draw() : real.random());
  return () => {
    const { setTimeout, clearTimeout, setInterval, clearInterval } = real;
    Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval });
    Date.now = real.now;
    performance.now = real.monotonic;
    Math.random = real.random;
  };
}

function later(work: Work, milliseconds = 0, ...given: unknown[]): unknown {
  const process = simulatedProcess();
  if (!process) return real.setTimeout(work, milliseconds, ...given);
  return timerOf(process.later('timer', milliseconds, () => work(...given)));
}

function again(work: Work, milliseconds = 0, ...given: unknown[]): unknown {
  const process = simulatedProcess();
  if (!process) return real.setInterval(work, milliseconds, ...given);
  let callOff = () => {};
  const next = () => {
    callOff = process.later('interval', milliseconds, () => {
      next();
      work(...given);
    });
  };
  next();
  return timerOf(() => callOff());
}

function stop(timer: unknown): void {
  if (isOurs(timer)) timer.stop();
  else real.clearTimeout(timer as NodeJS.Timeout);
}

function timerOf(callOff: () => void): Timer {
  const timer: Timer = { stop: callOff, ref: () => timer, unref: () => timer };
  return timer;
}

const isOurs = (timer: unknown): timer is Timer => typeof timer === 'object' && timer !== null && 'stop' in timer;
