import type { Discovery, DiscoverySource } from '../../../../machines/improvement-facts.ts';
import type { Fact } from '../../../kernel/effect-handlers.ts';

/** What one source has found in a whole run. */
interface FoundBy {
  readonly source: DiscoverySource;
  /** Findings that were recorded, each counted once. */
  readonly found: ReadonlySet<string>;
  /** In how many iterations it could not be read, and why the last time. */
  readonly faults: number;
  readonly fault: string | null;
}

/** What one iteration has found, and what of it was not tried. */
interface FoundIn {
  readonly iteration: number;
  readonly found: number;
  readonly known: number;
  /** Below the minimum of relevance. */
  readonly refused: number;
  /** Above it, and more than one iteration tries. */
  readonly beyond: number;
}

/** What a filter, or plans, could not do. */
export interface PhaseFault {
  readonly iteration: number;
  readonly phase: 'filter' | 'plans';
  readonly fault: string;
}

/** What the sources of a run have found, folded from its facts. */
export class Findings {
  readonly iterations: FoundIn[] = [];
  /** What filters and plans could not do, oldest first. */
  readonly faults: PhaseFault[] = [];
  readonly #sources = new Map<DiscoverySource, FoundBy>();
  #iteration = 0;

  sources(): readonly FoundBy[] {
    return [...this.#sources.values()];
  }

  observe(fact: Fact): void {
    switch (fact.type) {
      case 'iteration.started':
        this.#iteration = fact.payload.iteration + 1;
        break;
      case 'discovery.completed': {
        const { discoveries, sources, known, left } = fact.payload;
        for (const one of sources) this.#note(one.source, one.fault?.message ?? null, discoveries);
        const found = discoveries.length + left;
        this.iterations.push({ iteration: this.#iteration, found, known, refused: 0, beyond: 0 });
        break;
      }
      case 'filter.completed': {
        const { refused, beyond, fault } = fact.payload;
        const newest = this.iterations.pop();
        if (newest) this.iterations.push({ ...newest, refused, beyond });
        this.#fault('filter', fault?.message);
        break;
      }
      case 'plans.written':
        this.#fault('plans', fact.payload.fault?.message);
        break;
    }
  }

  #note(source: DiscoverySource, fault: string | null, discoveries: readonly Discovery[]): void {
    const before = this.#sources.get(source) ?? { source, found: new Set<string>(), faults: 0, fault: null };
    const news = discoveries.filter((one) => one.source === source).map(({ fingerprint }) => fingerprint);
    this.#sources.set(source, {
      source,
      found: new Set([...before.found, ...news]),
      faults: before.faults + (fault === null ? 0 : 1),
      fault: fault ?? before.fault,
    });
  }

  #fault(phase: PhaseFault['phase'], fault: string | undefined): void {
    if (fault !== undefined) this.faults.push({ iteration: this.#iteration, phase, fault });
  }
}
