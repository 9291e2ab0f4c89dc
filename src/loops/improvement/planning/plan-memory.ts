import type { EventOf } from '../../../../machines/events.ts';
import type { Discovery } from '../../../../machines/improvement-facts.ts';

/** The plans of a run, and which of them were asked for. */
export class PlanMemory {
  /** Of candidates that were not tried yet, by their ids. */
  readonly #written = new Map<string, string>();
  /** Candidates of this iteration whose plans were asked for: what has failed is not paid again. */
  readonly #asked = new Set<string>();
  /** The batch that plans are waited for from. Null: none was submitted, or its result is there. */
  batch: string | null = null;

  of(candidate: string): string | null {
    return this.#written.get(candidate) ?? null;
  }

  /** Whether a plan is to be asked for. */
  isMissing(candidate: string): boolean {
    return !this.#written.has(candidate) && !this.#asked.has(candidate);
  }

  startIteration(): void {
    this.batch = null;
    this.#asked.clear();
  }

  note({ plans }: EventOf<'plans.written'>['payload'], wanted: readonly Discovery[]): void {
    this.batch = null;
    for (const { id } of wanted) this.#asked.add(id);
    for (const { candidate, text } of plans) this.#written.set(candidate, text);
  }

  /** A candidate that was tried needs no plan any more. */
  forget(candidate: string): void {
    this.#written.delete(candidate);
  }
}
