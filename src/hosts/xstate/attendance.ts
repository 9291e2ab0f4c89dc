import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { RunOptions } from '../../config/options.ts';
import type { Envelope } from '../../log/envelope.ts';
import { INBOX_POLL_MS, type RunRecord } from '../../log/log.ts';
import { unreadableText } from '../../log/unreadable.ts';
import type { Question } from '../../projections/questions.ts';
import { readSummary } from '../../projections/read-summary.ts';
import type { NotFolded } from '../../runtime/load.ts';
import type { Sent, Watch } from '../../runtime/supervisor.ts';
import type { Heard } from '../local/people.ts';
import type { LiveRun, Loops } from '../local/loops.ts';
import { ChangingQuestions } from './changing-questions.ts';
import type { LoopCommand, LoopNotice } from './loop-events.ts';
import type { LoopOutput, ServedBy } from './loop-snapshot.ts';
import { RunUnavailableError } from './run-unavailable-error.ts';
import { Follower, type Standing } from './standing.ts';

export interface Attended {
  readonly run: string;
  readonly options: RunOptions | null;
  /** What the actor knows of the run already. */
  readonly version: number;
  readonly paused: Standing['paused'];
  readonly questions: readonly Question[];
}

/** How soon to look again whether the actor knows all there is. */
const CATCH_UP_MS = 10;

type Leaving = 'stopped' | 'shut_down';

const STOPPED = 'the actor that stands for this run was stopped';

/**
 * What this process does for one actor: it tells it what is recorded, whoever records it, and serves the run itself
 * whenever nobody else does, until it has ended.
 */
export class Attendance {
  readonly run: string;
  /** Resolves when this process has nothing more to do with the run. Never rejects: what went wrong was told. */
  readonly over: Promise<void>;
  readonly #loops: Loops;
  readonly #attended: Attended;
  readonly #tell: (notice: LoopNotice) => void;
  readonly #following = new AbortController();
  /** Resolved when the run is in the log, or never will be. */
  readonly #begun = Promise.withResolvers<void>();
  #standing: Pick<Standing, 'version' | 'paused'>;
  #live: LiveRun | null = null;
  #leaving: Leaving | null = null;
  #mayGoOn = false;
  /** Whoever serves the run elsewhere has heard that it is not wanted any more. */
  #hasAborted = false;
  #servedBy: ServedBy = null;
  readonly #changing: ChangingQuestions;
  #questions: readonly Question[] = [];
  #chores: Promise<void> = this.#begun.promise;

  constructor(loops: Loops, attended: Attended, tell: (notice: LoopNotice) => void) {
    this.run = attended.run;
    this.#loops = loops;
    this.#attended = attended;
    this.#standing = attended;
    this.#questions = attended.questions;
    this.#changing = new ChangingQuestions(loops);
    this.#tell = tell;
    this.over = this.#attend();
  }

  /** Commands are carried out one after the other, in the order they came, once there is a run. */
  command(command: LoopCommand): void {
    this.#inOrder(() => this.#obey(command));
  }

  /** The run is not wanted any more: it is aborted, wherever it is served. */
  stop(): void {
    if (this.#leaving) return;
    this.#leaving = 'stopped';
    this.#live?.abort(STOPPED).catch((error: unknown) => this.#fail(error));
  }

  /** This process is about to end: the run is paused if it is served here, and left for the next one. */
  shutDown(): void {
    if (this.#leaving) return;
    this.#leaving = 'shut_down';
    void this.#live?.pause('signal');
  }

  async #attend(): Promise<void> {
    try {
      await Promise.all([this.#follow(), this.#serve()]);
      const output = this.#following.signal.aborted ? null : await this.#output();
      if (output) this.#tell({ type: 'loopfold.ended', output });
    } catch (error) {
      this.#fail(error);
      await this.#live?.done.catch(() => {});
    } finally {
      this.#begun.resolve();
    }
  }

  /** Whatever this process still serves is left to be resumed: the actor cannot stand for it any more. */
  #fail(error: unknown): void {
    this.#tell({ type: 'loopfold.failed', error });
    this.#following.abort();
    this.shutDown();
  }

  async #output(): Promise<LoopOutput | null> {
    const summary = await readSummary(this.#loops.log, this.run, this.#loops.definitions);
    if (!summary?.ending) throw lost(this.run);
    const { ending, answer, spend } = summary;
    return { run: this.run, outcome: ending.outcome, answer, spend };
  }

  /** Tells every fact that the actor does not know yet, and goes on until the run is closed. */
  async #follow(): Promise<void> {
    const { log } = this.#loops;
    const { run, version, paused } = this.#attended;
    const known = version === 0 ? null : await this.#loops.rebuild(run, version);
    if (known?.kind === 'unknown_machine' || known?.kind === 'unreadable') throw notFolded(run, known);
    if (known && known.kind !== 'loaded') throw lost(run);
    if (known) {
      this.#begun.resolve();
      this.#inOrder(() => this.#askWhatIsOpen());
    }
    const follower = new Follower(run, known?.state ?? null, paused, this.#loops.definitions);
    for await (const fact of log.follow(run, { from: version + 1, signal: this.#following.signal })) {
      const standing = follower.next(fact);
      this.#standing = standing;
      this.#tell({ type: 'loopfold.recorded', fact, standing });
      this.#begun.resolve();
      this.#lookForQuestions(fact, run);
    }
  }

  async #serve(): Promise<void> {
    for (;;) {
      const record = await this.#loops.log.run(this.run);
      if (record && record.closed !== null) return;
      if (this.#leaving === 'shut_down' || (this.#leaving && !record)) return this.#following.abort();
      const live = record ? await this.#takeUp(record) : await this.#start();
      if (live) await this.#attendTo(live);
    }
  }

  async #start(): Promise<LiveRun | null> {
    const { options } = this.#attended;
    if (!options) throw lost(this.run);
    try {
      return await this.#loops.start(options, this.#watch, this.run);
    } catch (error) {
      const { log } = this.#loops;
      // The actor was restored twice, and the other one was first.
      if ((await log.run(this.run)) ?? (await log.holder(this.run))) return null;
      throw error;
    }
  }

  /** Serves the run from here on, or nothing for now: another process does, or it was paused on purpose. */
  async #takeUp(record: RunRecord): Promise<LiveRun | null> {
    if (record.root !== this.run) throw new RunUnavailableError('not_root', this.run, `it belongs to run ${record.root}`);
    const isHeld = (await this.#loops.log.holder(this.run)) !== null;
    if (this.#leaving === 'stopped' && !(isHeld && this.#hasAborted)) {
      this.#hasAborted = true;
      await this.#loops.abort(this.run, STOPPED);
      return null;
    }
    if (isHeld) return this.#waitWhileServed('elsewhere');
    if (this.#standing.version < record.version) return this.#waitWhileServed(null, CATCH_UP_MS);
    if (this.#standing.paused === 'user' && !this.#mayGoOn) return this.#waitWhileServed(null);
    const resumed = await this.#loops.resume(this.run, this.#watch);
    switch (resumed.kind) {
      case 'live':
        return resumed.live;
      case 'held':
      case 'over':
        return null;
      case 'unknown_machine':
      case 'unreadable':
        throw notFolded(this.run, resumed);
      case 'unknown_run':
      case 'not_raised':
      case 'not_migrated':
        throw lost(this.run);
    }
  }

  async #attendTo(live: LiveRun): Promise<void> {
    this.#live = live;
    this.#mayGoOn = false;
    this.#isServed('here');
    if (this.#leaving === 'stopped') live.abort(STOPPED).catch((error: unknown) => this.#fail(error));
    if (this.#leaving === 'shut_down') void live.pause('signal');
    await live.done.finally(() => {
      this.#live = null;
      this.#isServed(null);
    });
  }

  async #waitWhileServed(by: ServedBy, ms = INBOX_POLL_MS): Promise<null> {
    if (by === 'elsewhere') this.#mayGoOn = false;
    this.#isServed(by);
    await delay(ms);
    return null;
  }

  #isServed(by: ServedBy): void {
    if (this.#servedBy === by) return;
    this.#servedBy = by;
    this.#tell({ type: 'loopfold.served', by });
  }

  /** What its attempts ask is in logs of their own. */
  readonly #watch: Watch = (facts) => {
    facts.subscribe((fact) => {
      if (fact.run !== this.run) this.#lookForQuestions(fact);
    });
  };

  #lookForQuestions(fact: Envelope, run?: string): void {
    this.#inOrder(async () => {
      if (await this.#changing.changesWith(fact, run)) await this.#askWhatIsOpen();
    });
  }

  async #askWhatIsOpen(): Promise<void> {
    const questions = (await this.#loops.questions(this.run)) ?? [];
    if (isDeepStrictEqual(questions, this.#questions)) return;
    this.#questions = questions;
    this.#tell({ type: 'loopfold.asked', questions });
  }

  #inOrder(chore: () => Promise<void>): void {
    this.#chores = this.#chores.then(chore).catch((error: unknown) => this.#fail(error));
  }

  async #obey(command: LoopCommand): Promise<void> {
    const live = this.#live;
    const { type } = command;
    switch (command.type) {
      case 'answer':
        return this.#answered(type, await this.#loops.answer(this.run, command));
      case 'grant':
        return this.#answered(type, await this.#loops.grant(this.run, command));
      case 'steer':
        return this.#answered(type, await this.#loops.steer(this.run, command.text));
      case 'abort':
        if (live) return live.abort(command.reason);
        return this.#answered(type, await this.#loops.abort(this.run, command.reason));
      case 'pause':
        // It may have been told to go on just before.
        this.#mayGoOn = false;
        if (!live) return this.#answered(type, await this.#loops.pause(this.run));
        await live.pause('user');
        await live.done;
        return;
      case 'resume':
        this.#mayGoOn = live === null;
    }
  }

  #answered(command: LoopCommand['type'], said: Heard | Sent): void {
    if (said.kind === 'heard' || said.kind === 'delivered') return;
    this.#tell({ type: 'loopfold.refused', command, reason: reasonOf(said) });
  }
}

type Unheard = Exclude<Heard | Sent, { kind: 'heard' | 'delivered' }>;

function reasonOf(said: Unheard): string {
  if (said.kind === 'unknown_run') return 'this log does not know the run';
  return said.kind === 'rejected' ? said.reason : said.message;
}

const lost = (run: string) => new RunUnavailableError('unknown_run', run, 'this log does not know it');

function notFolded(run: string, why: NotFolded): RunUnavailableError {
  if (why.kind === 'unknown_machine') return new RunUnavailableError('unknown_machine', run, `${why.machine}, which wrote it, is not known here`);
  return new RunUnavailableError('unreadable', run, `version ${why.version} of run ${why.run}, ${why.type}, cannot be read: ${unreadableText(why)}`);
}
