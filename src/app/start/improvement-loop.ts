import { LoopConfig, type LoopConfigParts, improvementOptions, WHOLE_REPOSITORY } from '../../config/improve-config.ts';
import type { RunOptions } from '../../config/options.ts';
import { ImprovementHistory } from '../../loops/improvement/history/improvement-history.ts';
import type {
  ImprovementStats,
  IterationResult,
  RecordedModification,
} from '../../loops/improvement/history/iteration-result.ts';
import { factOf } from '../../projections/read-summary.ts';
import { faultsOf, knownKeys } from '../../options/config-fault.ts';
import type { LiveRun } from '../running/live-runs.ts';
import type { App } from '../app.ts';
import { modificationOf } from '../changes/modification.ts';
import { OptionsError } from './options-error.ts';

/** Where an improvement loop runs, and what else its run is started with: the folder, the model, the checks. */
export type ImprovementPlace = Omit<RunOptions, 'prompt' | 'loop' | 'options'> & {
  readonly loops: App;
  /** What the improvements should be about. */
  readonly prompt?: string;
};

/** An improvement loop over one folder. */
export interface ImprovementLoop {
  /**
   * Runs until its rules say stop, and returns its iterations. Throws what `Loops.start` throws. Called again, it runs
   * again.
   */
  run(): Promise<IterationResult[]>;
  /** Of the newest run, also while it is under way. */
  getStats(): ImprovementStats;
  /** The newest run. Null: none has begun. */
  readonly live: LiveRun | null;
}

/**
 * Makes an improvement loop. What the configuration leaves out has its default, at any depth. Throws an `OptionsError`
 * where it is invalid.
 *
 * @example
 * const loops = new Loops({ log: openSqliteLog('.loopfold/log.db') });
 * const loop = createImprovementLoop({ maxIterations: 5 }, { loops, model: 'openai/gpt-5', checks: ['npm test'] });
 * for (const { type, modification } of await loop.run()) console.log(type, modification?.files);
 * console.log(loop.getStats().improvementRate);
 */
export function createImprovementLoop(config: LoopConfigParts, place: ImprovementPlace): ImprovementLoop {
  const parsed = LoopConfig.safeParse(config);
  if (!parsed.success) throw new OptionsError(faultsOf(parsed.error, config, knownKeys(LoopConfig)));
  return new HostedImprovementLoop(config, place);
}

class HostedImprovementLoop implements ImprovementLoop {
  readonly #config: LoopConfigParts;
  readonly #place: ImprovementPlace;
  #history = new ImprovementHistory();
  live: LiveRun | null = null;

  constructor(config: LoopConfigParts, place: ImprovementPlace) {
    this.#config = config;
    this.#place = place;
  }

  async run(): Promise<IterationResult[]> {
    const { loops, prompt = WHOLE_REPOSITORY, ...options } = this.#place;
    const history = new ImprovementHistory();
    const live = await loops.start({ ...options, ...improvementOptions(this.#config), prompt });
    this.#history = history;
    this.live = live;
    const told = new Promise<void>((resolve, reject) => {
      live.events.subscribe({ next: (one) => history.observe(factOf(one)), complete: resolve, error: reject });
    });
    await live.done;
    await told;
    return Promise.all(history.iterations().map((one) => withDiff(loops, live.run, one)));
  }

  getStats(): ImprovementStats {
    return this.#history.stats();
  }
}

async function withDiff(
  loops: App,
  run: string,
  { modification, ...result }: IterationResult<RecordedModification>,
): Promise<IterationResult> {
  return modification ? { ...result, modification: await modificationOf(loops.log, run, modification) } : result;
}
