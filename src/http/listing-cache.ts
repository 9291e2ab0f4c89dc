import { listedRuns } from '../app/views/list-runs.ts';
import type { App } from '../app/app.ts';
import type { RunRecord } from '../log/event-store.ts';
import { type ListedView, listedView } from './list-view.ts';

/** Runs whose line in the list is kept: to make one, a run is read whole. */
const MAX_KEPT = 20_000;

/** The lines of the list of runs. */
export class KeptListing {
  readonly #loops: Pick<App, 'log' | 'definitions'>;
  readonly #kept = new Map<string, { readonly hash: string; readonly view: ListedView }>();

  constructor(loops: Pick<App, 'log' | 'definitions'>) {
    this.#loops = loops;
  }

  /** The lines of these runs, in their order. */
  async of(records: readonly RunRecord[]): Promise<ListedView[]> {
    const { log, definitions } = this.#loops;
    const unknown = records.filter((record) => this.#known(record) === null);
    const { listed } = await listedRuns(log, unknown, definitions);
    const fresh = new Map(listed.map((one) => [one.run, listedView(one)]));
    for (const { run, hash } of unknown) {
      const view = fresh.get(run);
      // Whatever changes another one is recorded in it. A process that works on one may die, which nothing records.
      const isKept = view && view.standing.kind !== 'running';
      if (isKept && (this.#kept.has(run) || this.#kept.size < MAX_KEPT)) this.#kept.set(run, { hash, view });
    }
    return records.flatMap((record) => fresh.get(record.run) ?? this.#known(record) ?? []);
  }

  #known({ run, hash }: RunRecord): ListedView | null {
    const kept = this.#kept.get(run);
    return kept?.hash === hash ? kept.view : null;
  }
}
