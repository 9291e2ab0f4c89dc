import { resolve } from 'node:path';
import { Observable } from 'rxjs';
import { validate as isUuid, v7 as uuidv7, version as uuidVersion } from 'uuid';
import { type ChangeOptions, resolveChange } from '../../config/change.ts';
import type { Ceilings } from '../../config/defaults.ts';
import type { RunOptions } from '../../config/options.ts';
import { completeChoice } from '../../detectors/complete-choice.ts';
import { resolveSettings } from '../../config/resolve.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Envelope } from '../../log/envelope.ts';
import type { Log, RunRecord } from '../../log/log.ts';
import { redactor } from '../../log/redact.ts';
import { type Loaded, rebuild } from '../../runtime/load.ts';
import { definitionOf, type LoopDefinition } from '../../runtime/loop-definition.ts';
import { type Change, type Extended, type Live, type Resumed, type Sent, Supervisor, type Watch } from '../../runtime/supervisor.ts';
import type { RunDelta } from '../../runtime/tree.ts';
import { loopNamed } from '../../runtime/loop-named.ts';
import type { Question } from '../../projections/questions.ts';
import { readQuestions } from '../../projections/read-questions.ts';
import { readSummary } from '../../projections/read-summary.ts';
import { type Answer, answer, type Grant, grant, type Heard, pause, steer } from './people.ts';
import { localCast } from './cast.ts';
import { judgeAgain, type JudgedAgain, type RedecideOptions } from './judge-again.ts';
import { listening } from './listening.ts';
import { knownLoops } from './known-loops.ts';
import { assertLoopsOptions, type LoopsOptions } from './loops-options.ts';
import { knownPrices } from './known-prices.ts';
import { markStart } from './mark-start.ts';
import { checkSurroundings } from './readiness.ts';
import { OptionsError } from './options-error.ts';
import { secretsOf } from './secrets.ts';
import { keepsState, stateDirectoryFaults, StateFiles } from './state-files.ts';
import { localTroupe, type Troupe } from './troupe.ts';

export type { LoopsOptions } from './loops-options.ts';

/** A run under way in this process. */
export interface LiveRun extends Live {
  /** The run's facts from its first on, each once it is durable. Completes when the run has ended, or left this process. */
  readonly events: Observable<Envelope>;
  /** What the run and its children are saying right now. Nothing of it is recorded. */
  readonly deltas: Observable<RunDelta>;
  /** Things about the settings worth knowing, though nothing refuses them. */
  readonly warnings: readonly string[];
}

/** Ids that sort by the time they were made at. */
const RUN_UUID_VERSION = 7;

type Hearing = { next(envelope: Envelope): void };
type Lived<Result> = Exclude<Result, { kind: 'live' }> | { readonly kind: 'live'; readonly live: LiveRun };

/**
 * Loops in one log, performed on this machine.
 *
 * @example
 * const loops = new Loops({ log: memoryLog(), model: scriptedModel({ answers: [{ text: 'done' }] }) });
 * const run = await loops.start({ prompt: 'Say that it is done.', loop: 'turn' });
 * const end = await run.done;
 */
export class Loops {
  readonly log: Log;
  /** The loops that its runs may be: those that ship, and those given. */
  readonly definitions: readonly LoopDefinition[];
  readonly #supervisor: Supervisor;
  readonly #ceilings: Partial<Ceilings>;
  readonly #troupe: Troupe;
  readonly #warn: (message: string) => void;

  /** Throws an `OptionsError` where an option is none, and where one of `loops` cannot be hosted. */
  constructor(options: LoopsOptions) {
    assertLoopsOptions(options);
    const { log, loops = [], ceilings = {}, secrets, warn = process.emitWarning, ...troupeOptions } = options;
    const { providers, environment } = troupeOptions;
    const troupe = localTroupe(troupeOptions);
    this.log = log;
    this.#troupe = troupe;
    this.#ceilings = ceilings;
    this.definitions = knownLoops(loops);
    this.#warn = (message) => warn(message);
    this.#supervisor = new Supervisor({
      log,
      loops: this.definitions,
      casting: (run, settings, loop) => localCast(run, settings, loop, troupe),
      redact: redactor(secrets ?? secretsOf(providers, environment)),
      ...(troupeOptions.clock ? { now: () => troupe.clock.now() } : {}),
    });
  }

  /**
   * Starts a run. Throws, with nothing written, an `OptionsError` where the options are no run, a `ScriptError` where its
   * model cannot be loaded, an `EnvironmentError` where it has no place to work. `named` is its id, where somebody has to
   * know it before it exists: a UUIDv7 that the log does not know.
   */
  async start(options: RunOptions, watch?: Watch, named?: string): Promise<LiveRun> {
    if (named !== undefined) await this.#assertNew(named);
    const run = named ?? uuidv7();
    const { settings, warnings } = await this.#settled(options);
    await markStart(this.#troupe.capture, { run, settings, loop: loopNamed(settings.loop, this.definitions) });
    const ears = listening(watch);
    const live = await this.#supervisor.start(settings, ears.watch, run);
    return await this.#lived(live, ears.deltas, warnings);
  }

  /** Throws what `start` would throw, and starts nothing. */
  async check(options: RunOptions): Promise<void> {
    await this.#settled(options);
  }

  /**
   * Takes a run up where its log ends, whatever stopped it; with `migrate`, under the newest version of its machine. Throws as
   * `start` does where it has lost what it needs.
   */
  async resume(run: string, watch?: Watch, how: { readonly migrate?: boolean } = {}): Promise<Lived<Resumed>> {
    const known = await this.rebuild(run);
    if (known.kind === 'loaded') {
      const { settings, state } = known;
      await this.#prepare(settings, how.migrate ? loopNamed(settings.loop, this.definitions) : definitionOf(state.entry.id, this.definitions));
    }
    const ears = listening(watch);
    const resumed = await this.#supervisor.resume(run, ears.watch, how);
    return resumed.kind === 'live' ? { kind: 'live', live: await this.#lived(resumed.live, ears.deltas) } : resumed;
  }

  /** Goes on from a capped or failed run as a new one, under other limits. Throws as `start` does, with nothing written. */
  async extend(run: string, options: ChangeOptions, watch?: Watch): Promise<Lived<Extended>> {
    const folded = await this.rebuild(run);
    if (folded.kind === 'unknown_machine' || folded.kind === 'unreadable') return folded;
    const known = await readSummary(this.log, run, this.definitions);
    if (!known) return { kind: 'unknown_run', run };
    const loop = definitionOf(known.machine, this.definitions);
    const resolved = resolveChange(options, known, { ceilings: this.#ceilings, loop });
    if (resolved.kind === 'refused') throw new OptionsError(resolved.faults);
    const { limits, attemptLimits, strategy = known.settings.strategy } = resolved;
    const chosen = resolved.detectors && completeChoice(resolved.detectors);
    const detectors = chosen ?? known.settings.detectors;
    await this.#prepare({ ...known.settings, strategy, ...(detectors ? { detectors } : {}) }, loop);
    if (resolved.strategy) await this.#loadStrategy({ ...known.settings, strategy });
    const ears = listening(watch);
    const prices = await this.#prices({ ...known.settings, limits: { ...known.limits, ...limits } });
    const change: Change = { limits, attemptLimits, strategy: resolved.strategy, detectors: chosen, prices };
    const extended = await this.#supervisor.extend(run, change, ears.watch);
    if (extended.kind !== 'live') return extended;
    const asked = { ...known.settings, strategy: resolved.strategy ?? null, limits: { ...known.limits, ...limits } };
    return { kind: 'live', live: await this.#lived(extended.live, ears.deltas, this.#troupe.strategies.warnings(asked)) };
  }

  /** Ends a run, also one that another process serves, or none. */
  abort(run: string, reason?: string): Promise<Sent> {
    return this.#supervisor.abort(run, reason);
  }

  /** What a run, and the attempts below it, wait for people to answer. Null where the log has no such run. */
  questions(run: string): Promise<readonly Question[] | null> {
    return readQuestions(this.log, run, this.definitions);
  }

  /** Answers an open question of a run, also of one that another process serves, or none: then it is heard when it is resumed. */
  answer(run: string, given: Answer): Promise<Heard> {
    return answer(this.#supervisor, run, given);
  }

  /** Grants or refuses a request to read outside the workspace. The real place of the path is what is granted, as it is now. */
  grant(run: string, given: Grant): Promise<Heard> {
    return grant(this.#supervisor, run, given);
  }

  /** Says more about the task of a run: its next answer knows it, and no work is finished before. */
  steer(run: string, text: string): Promise<Heard> {
    return steer(this.#supervisor, run, text);
  }

  /** Stops a run that any process works on, with the attempts below it, and leaves it to be resumed. */
  pause(run: string): Promise<Heard> {
    return pause(this.#supervisor, run);
  }

  /** The state at any version. Reads the log and touches nothing else. */
  rebuild(run: string, at?: number): Promise<Loaded> {
    return rebuild(this.log, run, at, this.definitions);
  }

  /**
   * What another strategy, other detectors or other limits would have decided over a recorded run and its attempts. Reads
   * the log and touches nothing else. Throws an `OptionsError` where there is no such judge.
   */
  async redecide(run: string, options: RedecideOptions): Promise<JudgedAgain> {
    const judged = await judgeAgain(this.log, run, options, { troupe: this.#troupe, loops: this.definitions });
    if (judged.kind === 'refused') throw new OptionsError(judged.faults);
    return judged;
  }

  runs(): Promise<readonly RunRecord[]> {
    return this.log.runs();
  }

  /** The facts of any run, past ones first, then as they come. */
  events(run: string): Observable<Envelope> {
    return new Observable((subscriber) => {
      const stop = new AbortController();
      this.#tell(run, subscriber, stop.signal).then(
        () => subscriber.complete(),
        (error: unknown) => subscriber.error(error),
      );
      return () => stop.abort();
    });
  }

  /** Passes a run's facts on until there will be no more, or the signal. Returns the version it came to. */
  async #tell(run: string, hear: Hearing, signal: AbortSignal): Promise<number> {
    let version = 0;
    for await (const envelope of this.log.follow(run, { from: 1, signal })) {
      hear.next(envelope);
      version = envelope.version;
    }
    return version;
  }

  /** The facts of a run for as long as this process serves it: a pause completes them too. */
  #eventsWhile({ run, done }: Live): Observable<Envelope> {
    return new Observable((subscriber) => {
      const stop = new AbortController();
      const over = () => stop.abort();
      done.then(over, over);
      const tell = async () => {
        const from = (await this.#tell(run, subscriber, stop.signal)) + 1;
        // Whoever stopped listening hears no more; whoever closed the log meanwhile has what there was.
        if (subscriber.closed) return;
        for await (const envelope of this.log.read(run, { from })) subscriber.next(envelope);
      };
      tell().then(
        () => subscriber.complete(),
        (error: unknown) => (stop.signal.aborted ? subscriber.complete() : subscriber.error(error)),
      );
      return over;
    });
  }

  async #assertNew(run: string): Promise<void> {
    const fault = (expected: string) => ({ field: 'run', flag: null, value: run, expected, suggestion: null });
    if (!isUuid(run) || uuidVersion(run) !== RUN_UUID_VERSION) throw new OptionsError([fault('a UUID of version 7')]);
    if (await this.log.run(run)) throw new OptionsError([fault('the id of no run in this log')]);
  }

  async #settled(options: RunOptions) {
    const resolved = resolveSettings(options, { ceilings: this.#ceilings, loops: this.definitions });
    if (resolved.kind === 'refused') throw new OptionsError(resolved.faults);
    // A run may be resumed from anywhere.
    const { directory, detectors } = resolved.settings;
    const settings = { ...resolved.settings, directory: resolve(directory), detectors: completeChoice(detectors) };
    await this.#prepare(settings, loopNamed(settings.loop, this.definitions));
    await this.#loadStrategy(settings);
    const faults = await stateDirectoryFaults(settings);
    if (faults.length > 0) throw new OptionsError(faults);
    const prices = await this.#prices(settings);
    return { settings: prices ? { ...settings, prices } : settings, warnings: [...resolved.warnings, ...this.#troupe.strategies.warnings(settings)] };
  }

  /** `loop`: the version that folds the run, or will. */
  async #prepare(settings: RunSettings, loop: LoopDefinition): Promise<void> {
    const { strategy: configured, limits, directory, detectors } = settings;
    const { strategies, detectorFaults } = this.#troupe;
    const faults = [...strategies.faults({ configured, limits, directory }), ...detectorFaults(detectors)];
    if (faults.length > 0) throw new OptionsError(faults);
    await this.#troupe.loadModel(settings.model, settings.fallbackModel ?? null);
    await checkSurroundings(settings, loop);
  }

  async #prices(settings: RunSettings): Promise<RunSettings['prices']> {
    const known = await knownPrices(settings, this.#troupe);
    if (known.kind === 'refused') throw new OptionsError(known.faults);
    return known.prices;
  }

  /** A run that begins with a strategy of somebody's own must find it. One that has lost it ends when it needs it, and can be extended. */
  async #loadStrategy({ strategy: configured, limits, directory }: RunSettings): Promise<void> {
    const faults = await this.#troupe.strategies.loadFaults({ configured, limits, directory });
    if (faults.length > 0) throw new OptionsError(faults);
  }

  async #lived(live: Live, deltas: Observable<RunDelta>, warnings: readonly string[] = []): Promise<LiveRun> {
    const events = this.#eventsWhile(live);
    const done = (await keepsState(this.log, live.run)) ? this.#keepingState({ ...live, events }) : live.done;
    return { ...live, done, events, deltas, warnings };
  }

  /** Whoever waits for the end finds the state files as they will stay. */
  #keepingState({ run, done, events }: Pick<LiveRun, 'run' | 'done' | 'events'>): LiveRun['done'] {
    const files = new StateFiles(run, this.definitions, this.#warn);
    const seen = new Promise<void>((resolve) => {
      events.subscribe({ next: (envelope) => files.observe(envelope), complete: resolve, error: () => resolve() });
    });
    const kept = done.finally(() => seen.then(() => files.close()));
    // Whoever waits for the end hears of an error; nobody has to wait.
    kept.catch(() => {});
    return kept;
  }
}
