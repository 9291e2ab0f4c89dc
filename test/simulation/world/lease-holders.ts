import type { Holder } from '../../../src/log/lease-store.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** Which process took which lease. All are of one machine, so each can know that another one is dead. */
export class LeaseHolders {
  readonly #processes = new Map<string, SimulatedProcess>();

  note({ token }: Holder, process: SimulatedProcess): void {
    this.#processes.set(token, process);
  }

  processOf({ token }: Holder): SimulatedProcess | undefined {
    return this.#processes.get(token);
  }

  readonly isKnownDead = (holder: Holder): boolean => this.processOf(holder)?.isAlive === false;
}
