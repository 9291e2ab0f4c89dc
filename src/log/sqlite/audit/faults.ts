import { MAX_FAULTS, RESTORE, type StoreFault } from '../../store-audit.ts';

/** Collects faults, up to the most that are listed. */
export class Faults {
  readonly #found: StoreFault[] = [];
  #count = 0;

  add(place: string, reason: string, remedy: string): void {
    this.#count += 1;
    if (this.#count <= MAX_FAULTS) this.#found.push({ place, reason, remedy });
  }

  all(): readonly StoreFault[] {
    const more = this.#count - this.#found.length;
    if (more === 0) return this.#found;
    return [...this.#found, { place: 'the log', reason: `${more} more of that kind`, remedy: RESTORE }];
  }
}
