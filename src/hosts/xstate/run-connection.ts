import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Envelope } from '../../log/envelope.ts';
import { INBOX_POLL_MS } from '../../log/inbox-store.ts';
import { readSummary } from '../../projections/read-summary.ts';
import type { Watch } from '../../runtime/own-tree.ts';
import type { App } from '../../app/app.ts';
import type { LiveRun } from '../../app/running/live-runs.ts';
import type { ConnectedRun } from './run-link.ts';
import { ChangingQuestions } from './question-stream.ts';
import type { LoopCommand, LoopNotice, LoopOutput, ServedBy } from './loop-snapshot.ts';
import { type AnyResult, refusalReason } from './refusal-reason.ts';
import { notFoldable, RunUnavailableError, unknownRun, Follower, type ActorStatus } from './actor-status.ts';

/** How often to check whether the actor has received every fact. */
const CATCH_UP_MS = 10;

type Leaving = 'stopped' | 'shut_down';

const STOPPED = 'the actor of this run was stopped';

/**
 * Connects an actor with its run: sends it every recorded fact, whichever process records it, and runs the run in this
 * process whenever no other process does, until it has ended.
 */
export class RunConnection {
  readonly run: string;
  /** Resolves when this process has nothing more to do with the run. Never rejects: errors are sent to the actor. */
  readonly over: Promise<void>;
  readonly #loops: App;
  readonly #connected: ConnectedRun;
  readonly #tell: (notice: LoopNotice) => void;
  readonly #following = new AbortController();
  /** Resolved when the run is in the log, or never will be. */
  readonly #begun = Promise.withResolvers<void>();
  #status: Pick<ActorStatus, 'version' | 'paused'>;
  #live: LiveRun | null = null;
  #leaving: Leaving | null = null;
  #mayResume = false;
  /** It was paused while it ran here. */
  #hasPaused = false;
  /** The process that owns the run has been sent the abort. */
  #hasAborted = false;
  #servedBy: ServedBy = null;
  readonly #changing: ChangingQuestions;
  #questions: ConnectedRun['questions'] = [];
  #pending: Promise<void> = this.#begun.promise;

  constructor(loops: App, connected: ConnectedRun, tell: (notice: LoopNotice) => void) {
    this.run = connected.run;
    this.#loops = loops;
    this.#connected = connected;
    this.#status = connected;
    this.#questions = connected.questions;
    this.#changing = new ChangingQuestions(loops);
    this.#tell = tell;
    this.over = this.#connect();
  }

  /** Commands are executed one after the other, in the order of their arrival, once there is a run. */
  command(command: LoopCommand): void {
    this.#inOrder(() => this.#execute(command));
  }

  /** The actor was stopped: aborts the run, whichever process owns it. */
  stop(): void {
    if (this.#leaving) return;
    this.#leaving = 'stopped';
    this.#live?.abort(STOPPED).catch((error: unknown) => this.#fail(error));
  }

  /** This process is about to end: pauses the run if it runs here, for the next process to resume. */
  shutDown(): void {
    if (this.#leaving) return;
    this.#leaving = 'shut_down';
    void this.#live?.pause('signal');
  }

  async #connect(): Promise<void> {
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

  /** Reports an error to the actor, and pauses the run if it runs here: the actor can no longer represent it. */
  #fail(error: unknown): void {
    this.#tell({ type: 'loopfold.failed', error });
    this.#following.abort();
    this.shutDown();
  }

  async #output(): Promise<LoopOutput | null> {
    const summary = await readSummary(this.#loops.log, this.run, this.#loops.definitions);
    if (!summary?.ending) throw unknownRun(this.run);
    const { ending, answer, spend } = summary;
    return { run: this.run, outcome: ending.outcome, answer, spend };
  }

  /** Sends every fact that the actor does not know yet, until the run is closed. */
  async #follow(): Promise<void> {
    const { log } = this.#loops;
    const { run, version, paused } = this.#connected;
    const known = version === 0 ? null : await this.#loops.rebuild(run, version);
    if (known?.kind === 'unknown_machine' || known?.kind === 'unreadable') throw notFoldable(run, known);
    if (known && known.kind !== 'loaded') throw unknownRun(run);
    if (known) {
      this.#begun.resolve();
      this.#inOrder(() => this.#askWhatIsOpen());
    }
    const follower = new Follower(run, known?.state ?? null, paused, this.#loops.definitions);
    for await (const fact of log.follow(run, { from: version + 1, signal: this.#following.signal })) {
      const status = follower.next(fact);
      this.#status = status;
      this.#tell({ type: 'loopfold.recorded', fact, status });
      this.#begun.resolve();
      this.#lookForQuestions(fact, run);
    }
  }

  async #serve(): Promise<void> {
    for (;;) {
      const record = await this.#loops.log.run(this.run);
      if (record && record.closed !== null) return;
      if (this.#leaving === 'shut_down' || (this.#leaving && !record)) return this.#following.abort();
      const live = record ? await this.#resume(record) : await this.#start();
      if (live) await this.#followLive(live);
    }
  }

  async #start(): Promise<LiveRun | null> {
    const { options } = this.#connected;
    if (!options) throw unknownRun(this.run);
    try {
      return await this.#loops.start(options, this.#watch, this.run);
    } catch (error) {
      const { log } = this.#loops;
      // The actor was restored twice, and the other one started the run first.
      if ((await log.run(this.run)) ?? (await log.holder(this.run))) return null;
      throw error;
    }
  }

  /** Resumes the run in this process. Null for now: another process owns it, or it was paused on purpose. */
  async #resume(record: { readonly root: string; readonly version: number }): Promise<LiveRun | null> {
    if (record.root !== this.run)
      throw new RunUnavailableError('not_root', this.run, `it belongs to run ${record.root}`);
    const isHeld = (await this.#loops.log.holder(this.run)) !== null;
    if (this.#leaving === 'stopped' && !(isHeld && this.#hasAborted)) {
      this.#hasAborted = true;
      await this.#loops.abort(this.run, STOPPED);
      return null;
    }
    if (isHeld) return this.#waitWhileServed('elsewhere');
    if (this.#status.version < record.version) return this.#waitWhileServed(null, CATCH_UP_MS);
    if (this.#isLeft && !this.#mayResume) return this.#waitWhileServed(null);
    const resumed = await this.#loops.resume(this.run, this.#watch);
    switch (resumed.kind) {
      case 'live':
        return resumed.live;
      case 'held':
      case 'over':
        return null;
      case 'unknown_machine':
      case 'unreadable':
        throw notFoldable(this.run, resumed);
      case 'unknown_run':
      case 'not_raised':
      case 'not_migrated':
        throw unknownRun(this.run);
    }
  }

  /** Whether it was paused until a `resume`: by a user, or here, for something that people have to do first. */
  get #isLeft(): boolean {
    const { paused } = this.#status;
    return paused === 'user' || (paused === 'waiting' && this.#hasPaused);
  }

  async #followLive(live: LiveRun): Promise<void> {
    this.#live = live;
    this.#mayResume = false;
    this.#isServed('here');
    if (this.#leaving === 'stopped') live.abort(STOPPED).catch((error: unknown) => this.#fail(error));
    if (this.#leaving === 'shut_down') void live.pause('signal');
    const end = await live.done.finally(() => {
      this.#live = null;
      this.#isServed(null);
    });
    this.#hasPaused = end.kind === 'paused';
  }

  async #waitWhileServed(by: ServedBy, ms = INBOX_POLL_MS): Promise<null> {
    if (by === 'elsewhere') {
      this.#mayResume = false;
      this.#hasPaused = false;
    }
    this.#isServed(by);
    await delay(ms);
    return null;
  }

  #isServed(by: ServedBy): void {
    if (this.#servedBy === by) return;
    this.#servedBy = by;
    this.#tell({ type: 'loopfold.served', by });
  }

  /** Questions of attempts are in their own logs. */
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
    this.#pending = this.#pending.then(chore).catch((error: unknown) => this.#fail(error));
  }

  async #execute(command: LoopCommand): Promise<void> {
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
        // A `resume` may have come just before.
        this.#mayResume = false;
        if (!live) return this.#answered(type, await this.#loops.pause(this.run));
        await live.pause('user');
        await live.done;
        return;
      case 'resume':
        this.#mayResume = live === null;
    }
  }

  #answered(command: LoopCommand['type'], result: AnyResult): void {
    const reason = refusalReason(result);
    if (reason !== null) this.#tell({ type: 'loopfold.refused', command, reason });
  }
}
