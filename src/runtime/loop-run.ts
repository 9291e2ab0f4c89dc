import type { EventOf, LoopEvent } from '../../machines/events.ts';
import { commit } from './commit.ts';
import { Dispatcher } from './dispatch.ts';
import { hasEnded, lifeOf, type RunState } from '../kernel/fold.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { leftAtWork, noteLeft } from './note-left-work.ts';
import { Mailbox } from './mailbox.ts';
import { notBegun, notStarted, pauseAsItIs, pausedPayload, stoppedIn, recovery } from './recovery.ts';
import type { RunMessage, PostResult } from '../kernel/run-message.ts';
import { type Batch, opening, react, record, type RunScope } from '../kernel/react.ts';
import { jumpWarning } from './jump-warning.ts';
import { lastMessage, Lost, type PausedBy, type RunEnd } from './run-end.ts';
import { storeState, storing } from './store-state.ts';
import type { TreeAccess } from './tree-access.ts';

/**
 * One live run: takes messages one at a time, decides, commits, and only then starts effects.
 *
 * Create it with `begin` or `reopen`; wait for `done`.
 */
export class LoopRun {
  readonly id: string;
  /** How many messages were refused: counted, never recorded. */
  rejected = 0;
  readonly #done = Promise.withResolvers<RunEnd>();
  readonly #scope: RunScope;
  readonly #around: TreeAccess;
  readonly #mailbox = new Mailbox();
  readonly #dispatcher: Dispatcher;
  #state: RunState;
  #pausing = false;
  /** What the environment lacks, where that has paused the run. */
  #obstacle: string | undefined;
  /** The fault of the environment for which it leaves as soon as the message in hand is recorded. */
  #fault: Error | undefined;

  private constructor(scope: RunScope, state: RunState, around: TreeAccess) {
    this.id = scope.run;
    this.#scope = scope;
    this.#state = state;
    this.#around = around;
    // Callers that await `done` get the rejection; without one, it is not unhandled.
    this.#done.promise.catch(() => {});
    this.#dispatcher = new Dispatcher({
      scope,
      delta: (effect, delta) => around.delta(scope.run, effect, delta),
      child: (execution, call) => around.child(execution, call),
      hinder: ({ message }) => around.hinder(message),
      leave: (fault) => {
        this.#fault = fault;
        this.#mailbox.close('left');
      },
      send: (event, causation) => this.#send({ event, causation }),
      life: () => lifeOf(this.#state),
      now: () => around.now(),
    });
    if (this.parent === null) this.#dispatcher.takeOver(leftAtWork(around.log, scope.run));
  }

  /** Opens a new run: its first events are durable when this resolves. */
  static async begin(
    scope: RunScope,
    state: RunState,
    started: EventOf<'run.started'>,
    around: TreeAccess,
    parentEffect?: string,
  ): Promise<LoopRun> {
    const run = new LoopRun(scope, state, around);
    const batch = opening(scope, state, record(started, 1, state.at));
    await run.#live(async () => {
      await run.#commit(batch, 0, { parentEffect });
    });
    return run;
  }

  /** Resumes an unowned run, starting with the fact that says why. */
  static async reopen(scope: RunScope, state: RunState, first: RunMessage, around: TreeAccess): Promise<LoopRun> {
    const run = new LoopRun(scope, state, around);
    await run.#live(async () => {
      await run.#take(first);
      if (first.event.type === 'run.resumed' && (await run.#isHindered(state))) return;
      for await (const event of recovery(scope, state, () => run.#state)) await run.#take(event);
      run.#dispatcher.adopt(run.#state);
    });
    return run;
  }

  get done(): Promise<RunEnd> {
    return this.#done.promise;
  }

  get state(): RunState {
    return this.#state;
  }

  /** Texts by which people have steered it. */
  get steering(): readonly string[] {
    return this.#scope.handlers.steering();
  }

  get loop(): LoopDefinition {
    return this.#scope.loop;
  }

  get parent(): string | null {
    return this.#scope.settings.parent?.run ?? null;
  }

  /** The effect (`RUN/version/n`) of its parent that opened it. */
  get parentEffect(): string | null {
    return this.#scope.settings.parent?.effect ?? null;
  }

  /** Posts an event. Resolves when it is recorded, or refused. */
  post(event: LoopEvent, entry?: number): Promise<PostResult> {
    return this.#send({ event, causation: null, ...(entry === undefined ? {} : { entry }) });
  }

  /** Stops what runs, records it, and leaves the run to be resumed. */
  async pause(by: PausedBy, entry?: number, reason?: string): Promise<PostResult> {
    if (this.#pausing) return { kind: 'rejected', because: 'paused' };
    this.#pausing = true;
    this.#obstacle = reason;
    const { begun } = this.#dispatcher;
    const isFinished = await this.#dispatcher.stopAll('pause', lifeOf(this.#state).graceMs);
    const noticed = this.#noticed();
    if (noticed) await this.post(noticed);
    const queued = new Set([...notBegun(this.#state, begun), ...notStarted(this.#state, this.#dispatcher.refused)]);
    return this.post({ type: 'run.paused', payload: pausedPayload(by, isFinished, [...queued], reason) }, entry);
  }

  /**
   * A run below this one has left: a pause waits for what it could not stop. Waits for that within the grace, and until
   * the signal. Returns whether all that runs below have left is over.
   */
  inherit(child: LoopRun, signal: AbortSignal): Promise<boolean> {
    return this.#dispatcher.inherit(child.#dispatcher, lifeOf(this.#state).graceMs, signal);
  }

  /** It has left: notes what is at work still, for the next run of this process under that root. */
  noteLeft(root: string): void {
    noteLeft(this.#around.log, root, this.#dispatcher.atWork);
  }

  /** Another process has taken over: stop at once and write nothing more. */
  lose(detail: string): void {
    this.#leave(new Lost(detail));
  }

  #send(message: RunMessage): Promise<PostResult> {
    return new Promise((answered) => void this.#mailbox.post({ ...message, answered }));
  }

  #now(): string {
    return new Date(this.#around.now(Date.parse(this.#state.at))).toISOString();
  }

  /** Starts, then runs in the background until the end. */
  async #live(start: () => Promise<void>): Promise<void> {
    try {
      await start();
      this.#dispatch();
    } catch (error) {
      this.#leave(error);
      if (!(error instanceof Lost)) throw error;
      return;
    }
    this.#run().then(
      () => this.#leave(),
      (error) => this.#leave(error),
    );
  }

  async #run(): Promise<void> {
    while (!hasEnded(this.#state) && !this.#state.paused) {
      const message = await this.#mailbox.take();
      if (!message) break;
      const noticed = message.event.type === 'child.asked' ? this.#noticed() : null;
      if (noticed) await this.#take({ event: noticed, causation: null });
      if (message.event.type === 'run.paused' && lifeOf(this.#state).abort) await this.#refusePause(message);
      else await this.#take(pauseAsItIs(message, this));
      await this.#tellJump();
      this.#dispatch();
    }
    if (this.#fault && !hasEnded(this.#state)) throw this.#fault;
  }

  /** Says on the page of the run at the top that the machine's clock has jumped. The message in hand is answered. */
  async #tellJump(): Promise<void> {
    if (this.parent !== null || this.#state.paused || hasEnded(this.#state)) return;
    const jumpedMs = this.#around.jumped();
    if (jumpedMs !== 0) await this.#take({ event: jumpWarning(jumpedMs), causation: null });
  }

  /** Before only people are at work: what was left for them to find. */
  #noticed(): LoopEvent | null {
    const { run, settings, handlers } = this.#scope;
    return handlers.notice?.({ run, settings, state: this.#state, at: this.#state.at }) ?? null;
  }

  /**
   * Pauses a run that was resumed where people have to mend something first: nothing has started yet. Only the run at
   * the top: a child cannot pause those above it. `outstanding`: as the run was found.
   */
  async #isHindered({ outstanding }: RunState): Promise<boolean> {
    if (this.parent !== null) return false;
    const { run, settings, handlers } = this.#scope;
    const event = handlers.hindrance?.({ run, settings, state: this.#state, at: this.#state.at }) ?? null;
    if (event === null) return false;
    this.#pausing = true;
    await this.#take({ event, causation: null });
    const queued = outstanding.filter((one) => one.queued);
    const payload = pausedPayload('waiting', this.#dispatcher.atWork.size === 0, queued);
    await this.#take({ event: { type: 'run.paused', payload }, causation: null });
    return true;
  }

  async #take(message: RunMessage): Promise<void> {
    const reaction = react(this.#scope, this.#state, message, this.#now());
    if (typeof reaction === 'string') {
      this.rejected += 1;
      message.answered?.({ kind: 'rejected', because: reaction });
      return;
    }
    const version = this.#state.version + 1;
    try {
      await this.#commit(reaction, this.#state.version, { entry: message.entry });
    } catch (error) {
      message.answered?.({ kind: 'rejected', because: 'left' });
      throw error;
    }
    message.answered?.({ kind: 'accepted', version });
  }

  /** An abort during a pause wins: records the interruptions of what the pause has stopped, and lets the run end. */
  async #refusePause({ answered }: RunMessage): Promise<void> {
    answered?.({ kind: 'rejected', because: 'aborting' });
    for (const one of stoppedIn(this.#state, this.loop)) await this.#take(one);
    this.#pausing = false;
    this.#obstacle = undefined;
    this.#dispatcher.adopt(this.#state);
  }

  async #commit(
    batch: Batch,
    expectedVersion: number,
    how: { entry?: number | undefined; parentEffect?: string | undefined },
  ) {
    const { log, epoch } = this.#around;
    const { settings } = this.#scope;
    const recorded = storing(batch, expectedVersion);
    const committed = await commit({
      log: this.#around,
      run: this.id,
      epoch,
      expectedVersion,
      batch: recorded.batch,
      settings,
      ...how,
    });
    if (committed.kind === 'lost') throw new Lost(committed.detail);
    this.#state = batch.state;
    this.#around.publish(committed.envelopes, batch.states);
    await storeState(log, recorded, committed.envelopes);
  }

  #dispatch(): void {
    if (!this.#pausing) this.#dispatcher.follow(this.#state);
  }

  #leave(error?: unknown): void {
    this.#mailbox.close(hasEnded(this.#state) ? 'ended' : 'left');
    this.#dispatcher.abandon(hasEnded(this.#state) ? 'abort' : 'pause');
    const released = this.#scope.handlers.release?.();
    if (released) void this.#sayAfter(released, error);
    else this.#say(error);
  }

  /** What cannot be released is no reason for another end. */
  async #sayAfter(released: Promise<void>, error: unknown): Promise<void> {
    await Promise.allSettled([released]);
    this.#say(error);
  }

  #say(error: unknown): void {
    if (error instanceof Lost) this.#done.resolve({ kind: 'lost', detail: error.message });
    else if (error !== undefined) this.#done.reject(error);
    else this.#done.resolve(this.#end());
  }

  #end(): RunEnd {
    const { outcome, spend } = lifeOf(this.#state);
    if (!hasEnded(this.#state) || !outcome)
      return { kind: 'paused', ...(this.#obstacle === undefined ? {} : { obstacle: this.#obstacle }) };
    return { kind: 'ended', outcome, spend, ...lastMessage(this.#scope.handlers) };
  }
}
