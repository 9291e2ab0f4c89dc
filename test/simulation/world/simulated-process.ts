import { AsyncLocalStorage } from 'node:async_hooks';
import type { VirtualTime } from './virtual-time.ts';

/** What may happen to a process whenever it waits for anything. */
export interface Fate {
  readonly time: VirtualTime;
  /** Asked before each step of a process; the world may end the process here. */
  readonly meet: (process: SimulatedProcess, step: string) => void;
}

/**
 * A process that exists only here. Whatever its code waits for is a step of it, and between any two steps it may die: a
 * dead process never gets an answer again, so its code goes no further. A stopped one gets them when it is woken.
 */
export class SimulatedProcess {
  readonly name: string;
  readonly #fate: Fate;
  isAlive = true;
  atDeath: () => void = () => {};
  /** How many steps it has taken. */
  steps = 0;
  /** Virtual time until which it is stopped, as by Ctrl-Z. */
  stoppedUntil = 0;

  constructor(name: string, fate: Fate) {
    this.name = name;
    this.#fate = fate;
  }

  /** Waits for an answer from outside the process. */
  wait(step: string, milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.later(step, milliseconds, resolve));
  }

  /** Does something after a time, unless the process is dead by then. Returns how to call it off. */
  later(step: string, milliseconds: number, work: () => void): () => void {
    const { time, meet } = this.#fate;
    const goOn = () => {
      if (!this.isAlive) return;
      if (this.stoppedUntil > time.now) {
        happening = time.after(this.stoppedUntil - time.now, goOn);
        return;
      }
      this.steps += 1;
      meet(this, step);
      if (this.isAlive) running.run(this, work);
    };
    let happening = time.after(milliseconds, goOn);
    return () => time.cancel(happening);
  }

  /** Runs code as this process: whatever it starts belongs to it. */
  run<Result>(work: () => Result): Result {
    return running.run(this, work);
  }
}

const running = new AsyncLocalStorage<SimulatedProcess>();

/** The process whose code is running. */
export function thisSimulatedProcess(): SimulatedProcess {
  const process = running.getStore();
  if (!process) throw new Error('no simulated process is running here');
  return process;
}

export const simulatedProcess = (): SimulatedProcess | undefined => running.getStore();
