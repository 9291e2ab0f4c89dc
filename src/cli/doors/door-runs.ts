import { setTimeout as delay } from 'node:timers/promises';
import { filter, firstValueFrom, map } from 'rxjs';
import type { RunOptions } from '../../config/options.ts';
import type { LiveRun } from '../../app/running/live-runs.ts';
import type { App } from '../../app/app.ts';
import { knownLoops } from '../../app/start/loop-names.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { LogError } from '../../log/log.ts';
import type { Watch } from '../../runtime/own-tree.ts';
import { optionsHere, type OptionsHere, optionsSaid } from '../args/options-here.ts';
import { withProposal } from '../args/with-proposal.ts';
import { usage } from '../pages/complaint.ts';
import { liveOrRefused } from '../pages/refusal-text.ts';
import type { Session } from '../session.ts';

/** The time that runs have to pause when the door closes. */
const CLOSE_MS = 20_000;
/** How often a run of another process is looked at. */
const LOOK_MS = 500;

/** A task for a run that is started through a door. */
export interface DoorTask extends Pick<RunOptions, 'prompt' | 'continues' | 'images' | 'loop'> {
  /** Where it works, if that is not the folder of the call. */
  readonly directory?: string;
}

/**
 * The runs that another program drives through this process. They are kept going here, also over a wait for a person,
 * and pause when the door closes. The log is made with the first of them.
 */
export class DoorRuns {
  readonly session: Session;
  readonly #live = new Map<string, LiveRun>();
  #loops: App | null = null;
  #options: Promise<OptionsHere> | null = null;

  constructor(session: Session) {
    this.session = session;
  }

  /** The loops that runs here may be. */
  get definitions(): readonly LoopDefinition[] {
    return this.#loops?.definitions ?? knownLoops([]);
  }

  /** Throws an `InsideRunError` where a run of the log calls. */
  async assertNoRun(): Promise<void> {
    const { session } = this;
    // Apart: a file that is not trusted yet is told of with the first run.
    const loops = await orNone(session.inFolder(session.directory).loops('write'));
    await loops?.log.close();
  }

  /** The loops over the log. Null: there is no log yet. Throws where a run of the log calls. */
  async loops(): Promise<App | null> {
    this.#loops ??= await orNone(this.session.loops('work'));
    return this.#loops;
  }

  /** The same for what needs a log. Throws a `Complaint` where there is none. */
  async recorded(): Promise<App> {
    const loops = await this.loops();
    if (!loops) throw usage('RUN', 'a run of this folder, which has none yet', 'nothing');
    return loops;
  }

  /** The options of every run here, as the call was started with them. Throws a `Complaint` without a model. */
  options(): Promise<OptionsHere> {
    this.#options ??= withProposal(this.session, { format: 'json', isDryRun: false }).then((values) =>
      optionsHere(this.session, values),
    );
    // What was in the way may be mended meanwhile.
    this.#options.catch(() => (this.#options = null));
    return this.#options;
  }

  /** Starts a run. Throws what stands in its way, with nothing written. */
  async start(task: DoorTask, watch?: Watch, named?: string): Promise<LiveRun> {
    const isNew = task.continues === undefined;
    const asked = { ...(isNew ? await this.options() : await optionsSaid(this.session)), ...task };
    const checked = isNew ? await (await this.session.loopsNowhere()).check(asked) : asked;
    this.#loops ??= (await this.loops()) ?? (await this.session.loopsOrNew());
    return this.#keep(await this.#loops.start(checked, watch, named));
  }

  /** Resumes a run that has left its process. Null: it has ended. Throws a `Complaint` where that cannot be. */
  async resume(run: string, watch?: Watch): Promise<LiveRun | null> {
    const known = this.#live.get(run);
    if (known) return known;
    const resumed = await (await this.recorded()).resume(run, watch);
    return resumed.kind === 'over' ? null : this.#keep(liveOrRefused(resumed, run));
  }

  /** The run, where this process works on it. */
  live(run: string): LiveRun | null {
    return this.#live.get(run) ?? null;
  }

  /** Waits until a run that has ended here is captured, too. */
  async captured(run: string): Promise<void> {
    const live = this.#live.get(run);
    if (live && (await this.#loops?.log.run(run))?.closed !== null) await live.done.catch(() => {});
  }

  /** Waits until a run stops working, for an end, a person or a pause, or for as long as is said. */
  async untilStill(run: string, longestMs: number, signal: AbortSignal): Promise<void> {
    const end = performance.now() + longestMs;
    const live = this.#live.get(run);
    if (live) {
      const waits = firstValueFrom(
        live.waiting.pipe(
          filter(Boolean),
          map(() => true),
        ),
        { defaultValue: true },
      );
      await Promise.race([waits, live.done, delay(longestMs, undefined, { signal })]).catch(() => {});
      return;
    }
    const { log } = await this.recorded();
    const works = async () => (await log.holder(run)) !== null && (await log.run(run))?.closed === null;
    while (!signal.aborted && performance.now() < end && (await works())) await delay(LOOK_MS);
  }

  /** Pauses every run of this process: each can be resumed from its log. */
  async close(): Promise<void> {
    const here = [...this.#live.values()];
    await Promise.all(here.map((live) => live.pause('signal')));
    const left = Promise.allSettled(here.map((live) => live.done));
    await Promise.race([left, delay(CLOSE_MS, undefined, { ref: false })]);
    await this.#loops?.log.close();
    await this.session.close();
  }

  #keep(live: LiveRun): LiveRun {
    const { run, done } = live;
    this.#live.set(run, live);
    const gone = () => this.#live.get(run) === live && this.#live.delete(run);
    done.then(gone, gone);
    return live;
  }
}

/** Null where there is no log yet. */
async function orNone(loops: Promise<App>): Promise<App | null> {
  try {
    return await loops;
  } catch (error) {
    if (error instanceof LogError && error.kind === 'unavailable') return null;
    throw error;
  }
}
