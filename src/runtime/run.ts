import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { Outcome, Spend } from '../../machines/outcome.ts';
import type { Delta, EffectCall } from '../actors/actor.ts';
import type { Envelope } from '../log/envelope.ts';
import { type Log, SNAPSHOT_EVERY_EVENTS } from '../log/log.ts';
import type { ChildPerformance } from './cast.ts';
import { commit } from './commit.ts';
import { Dispatcher } from './dispatch.ts';
import { freezeState, hasEnded, lifeOf, type RunState } from './fold.ts';
import { interruption } from './interruption.ts';
import { type LoopDefinition, specOf } from './loop-definition.ts';
import { type Letter, Mailbox, type Verdict } from './mailbox.ts';
import { type Batch, opening, react, record, type Stage } from './react.ts';
import { recovery } from './recovery.ts';

/** How a run left this process. */
export type RunEnd =
  | { readonly kind: 'ended'; readonly outcome: Outcome; readonly answer: string; readonly spend: Spend }
  | { readonly kind: 'paused' }
  | { readonly kind: 'lost'; readonly detail: string };

export type PausedBy = EventOf<'run.paused'>['payload']['by'];

/** What a run needs of the tree it belongs to. */
export interface Surroundings {
  readonly log: Log;
  readonly epoch: number;
  /** Milliseconds since 1970. */
  now(): number;
  publish(envelopes: readonly Envelope[]): void;
  delta(run: string, effect: string, delta: Delta): void;
  /** Performs an effect that is a run of its own. */
  child(performance: ChildPerformance, call: EffectCall): AsyncIterable<LoopEvent>;
}

/**
 * One run, alive: takes letters one at a time, decides, commits, and only then lets anything happen.
 *
 * Create it with `begin` or `reopen`; wait for `done`.
 */
export class LoopRun {
  readonly id: string;
  /** Letters that no state expected: counted, never recorded. */
  rejected = 0;
  readonly #done = Promise.withResolvers<RunEnd>();
  readonly #stage: Stage;
  readonly #around: Surroundings;
  readonly #mailbox = new Mailbox();
  readonly #dispatcher: Dispatcher;
  #state: RunState;
  #pausing = false;

  private constructor(stage: Stage, state: RunState, around: Surroundings) {
    this.id = stage.run;
    this.#stage = stage;
    this.#state = state;
    this.#around = around;
    // Whoever waits for the end hears of an error; nobody has to wait.
    this.#done.promise.catch(() => {});
    this.#dispatcher = new Dispatcher({
      stage,
      delta: (effect, delta) => around.delta(stage.run, effect, delta),
      child: (performance, call) => around.child(performance, call),
      send: (event, causation) => this.#send({ event, causation }),
      life: () => lifeOf(this.#state),
    });
  }

  /** Opens a new run: its first events are durable when this resolves. */
  static async begin(
    stage: Stage,
    state: RunState,
    started: EventOf<'run.started'>,
    around: Surroundings,
    parentEffect?: string,
  ): Promise<LoopRun> {
    const run = new LoopRun(stage, state, around);
    const batch = opening(stage, state, record(started, 1, state.at));
    await run.#live(async () => {
      await run.#commit(batch, 0, { parentEffect });
    });
    return run;
  }

  /** Takes up a run that nobody serves, starting with the fact that says so. */
  static async reopen(stage: Stage, state: RunState, first: Letter, around: Surroundings): Promise<LoopRun> {
    const run = new LoopRun(stage, state, around);
    await run.#live(async () => {
      await run.#take(first);
      for await (const event of recovery(stage, state, () => run.#state)) await run.#take(event);
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

  /** What a person has said to it meanwhile. */
  get steering(): readonly string[] {
    return this.#stage.cast.steering();
  }

  get loop(): LoopDefinition {
    return this.#stage.loop;
  }

  get parent(): string | null {
    return this.#stage.settings.parent?.run ?? null;
  }

  /** The effect (`RUN/version/n`) of its parent that it performs. */
  get performs(): string | null {
    return this.#stage.settings.parent?.effect ?? null;
  }

  /** Hands an event in. Resolves when it is recorded, or refused. */
  post(event: LoopEvent, entry?: number): Promise<Verdict> {
    return this.#send({ event, causation: null, ...(entry === undefined ? {} : { entry }) });
  }

  /** Stops what runs, records it, and leaves the run to be resumed. */
  async pause(by: PausedBy, entry?: number): Promise<Verdict> {
    if (this.#pausing) return { kind: 'rejected', because: 'paused' };
    this.#pausing = true;
    await this.#dispatcher.stopAll('pause', lifeOf(this.#state).graceMs);
    return this.post({ type: 'run.paused', payload: { by } }, entry);
  }

  /** Another process has taken over: stop at once and write nothing more. */
  lose(detail: string): void {
    this.#leave(new Lost(detail));
  }

  #send(letter: Letter): Promise<Verdict> {
    return new Promise((answered) => void this.#mailbox.post({ ...letter, answered }));
  }

  #now(): string {
    return new Date(this.#around.now()).toISOString();
  }

  /** Starts, then serves in the background until the end. */
  async #live(start: () => Promise<void>): Promise<void> {
    try {
      await start();
      this.#dispatch();
    } catch (error) {
      this.#leave(error);
      if (!(error instanceof Lost)) throw error;
      return;
    }
    this.#serve().then(() => this.#leave(), (error) => this.#leave(error));
  }

  async #serve(): Promise<void> {
    while (!hasEnded(this.#state) && !this.#state.paused) {
      const letter = await this.#mailbox.take();
      if (!letter) return;
      if (letter.event.type === 'run.paused' && lifeOf(this.#state).abort) await this.#giveWay(letter);
      else await this.#take(letter);
      this.#dispatch();
    }
  }

  async #take(letter: Letter): Promise<void> {
    const reaction = react(this.#stage, this.#state, letter, this.#now());
    if (typeof reaction === 'string') {
      this.rejected += 1;
      letter.answered?.({ kind: 'rejected', because: reaction });
      return;
    }
    const version = this.#state.version + 1;
    try {
      await this.#commit(reaction, this.#state.version, { entry: letter.entry });
    } catch (error) {
      letter.answered?.({ kind: 'rejected', because: 'left' });
      throw error;
    }
    letter.answered?.({ kind: 'accepted', version });
  }

  /** No pause keeps a run that was aborted meanwhile from its end: who was stopped for it has said all there is to hear. */
  async #giveWay({ answered }: Letter): Promise<void> {
    answered?.({ kind: 'rejected', because: 'aborting' });
    for (const one of this.#state.outstanding) {
      const { loop } = this.#stage;
      if (!one.told || specOf(one, loop).class === 'child') continue;
      const event = interruption(one, 'it was told to stop', lifeOf(this.#state), loop);
      if (event) await this.#take({ event, causation: one.effect });
    }
    this.#pausing = false;
    this.#dispatcher.adopt(this.#state);
  }

  async #commit(batch: Batch, expectedVersion: number, how: { entry?: number | undefined; parentEffect?: string | undefined }) {
    const { log, epoch } = this.#around;
    const committed = await commit({ log, run: this.id, epoch, expectedVersion, batch, ...how });
    if (committed.kind === 'lost') throw new Lost(committed.detail);
    this.#state = batch.state;
    this.#around.publish(committed.envelopes);
    if (Math.floor(batch.state.version / SNAPSHOT_EVERY_EVENTS) > Math.floor(expectedVersion / SNAPSHOT_EVERY_EVENTS)) {
      await this.#cache(committed.envelopes);
    }
  }

  async #cache(envelopes: readonly Envelope[]): Promise<void> {
    const newest = envelopes.at(-1);
    if (!newest) return;
    const { entry, version } = this.#state;
    await this.#around.log.saveSnapshot({
      run: this.id,
      version,
      hash: newest.hash,
      machine: entry.id,
      state: freezeState(this.#state),
    });
  }

  #dispatch(): void {
    if (!this.#pausing) this.#dispatcher.follow(this.#state);
  }

  #leave(error?: unknown): void {
    this.#mailbox.close(hasEnded(this.#state) ? 'ended' : 'left');
    this.#dispatcher.abandon(hasEnded(this.#state) ? 'abort' : 'pause');
    this.#stage.cast.release?.();
    if (error instanceof Lost) this.#done.resolve({ kind: 'lost', detail: error.message });
    else if (error !== undefined) this.#done.reject(error);
    else this.#done.resolve(this.#end());
  }

  #end(): RunEnd {
    const { outcome, spend } = lifeOf(this.#state);
    if (!hasEnded(this.#state) || !outcome) return { kind: 'paused' };
    return { kind: 'ended', outcome, spend, answer: this.#stage.cast.answer() };
  }
}

/** Thrown inside a run to leave it at once: from here on another process speaks for it. */
class Lost extends Error {}
