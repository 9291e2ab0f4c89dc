import type { EventOf } from '../../../../machines/events.ts';
import type { AcceptanceTest, Discovery } from '../../../../machines/improvement-facts.ts';

/** What came of the acceptance test of a candidate: the test, or why there is none. */
export type Acceptance = { readonly test: AcceptanceTest } | { readonly refused: string };

/** The plans of a run, and which of them were asked for. */
export class PlanMemory {
  /** Of candidates that were not tried yet, by their ids. */
  readonly #written = new Map<string, string>();
  /** Candidates of this iteration whose plans were asked for: what has failed is not paid again. */
  readonly #asked = new Set<string>();
  /** Of candidates of this iteration: the next one may begin on another head, where a test has to fail anew. */
  readonly #acceptance = new Map<string, Acceptance>();
  /** The batch that plans are waited for from. Null: none was submitted, or its result is there. */
  batch: string | null = null;
  /** A batch of this iteration has left plans out: those that are missing are written by single calls. */
  hasFailed = false;

  of(candidate: string): string | null {
    return this.#written.get(candidate) ?? null;
  }

  acceptanceOf(candidate: string): Acceptance | null {
    return this.#acceptance.get(candidate) ?? null;
  }

  /** Whether a plan is to be asked for. */
  isMissing(candidate: string): boolean {
    return !this.#written.has(candidate) && !this.#asked.has(candidate);
  }

  startIteration(): void {
    this.batch = null;
    this.hasFailed = false;
    this.#asked.clear();
    this.#acceptance.clear();
  }

  note({ plans, acceptance = [], by }: EventOf<'plans.written'>['payload'], wanted: readonly Discovery[]): void {
    const written = new Set(plans.map(({ candidate }) => candidate));
    this.hasFailed ||= by === 'calls' || wanted.some(({ id }) => !written.has(id));
    this.batch = null;
    for (const { id } of wanted) if (by === 'calls' || written.has(id)) this.#asked.add(id);
    for (const { candidate, text } of plans) this.#written.set(candidate, text);
    for (const { candidate, ...one } of acceptance) this.#acceptance.set(candidate, one);
  }

  /** A candidate that was tried needs no plan any more. */
  forget(candidate: string): void {
    this.#written.delete(candidate);
    this.#acceptance.delete(candidate);
  }
}
