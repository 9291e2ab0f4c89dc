import type { LoopEvent } from '../../machines/events.ts';
import { answererOf } from '../../machines/index.ts';
import type { Delta, EffectCall, Stopped } from '../actors/actor.ts';
import type { EnvironmentFault } from '../log/environment-fault.ts';
import { LogError } from '../log/log.ts';
import type { ChildExecution, Execution } from '../kernel/effect-handlers.ts';
import type { Outstanding, RunState } from '../kernel/fold.ts';
import type { Life } from '../../machines/life.ts';
import { interruption, type PostResult } from '../kernel/run-message.ts';
import { specOf } from '../kernel/loop-definition.ts';
import { faultOfHandler, handlerFault, noEvent, WrongAnswer } from './handler-fault.ts';
import type { RunScope } from '../kernel/react.ts';
import { emptied } from './await-executions.ts';
import { Lost } from './run-end.ts';

export interface DispatcherParts {
  readonly scope: RunScope;
  readonly send: (event: LoopEvent, causation: string | null) => Promise<PostResult>;
  /** The context of the run's machine now. */
  readonly life: () => Life;
  readonly delta: (effect: string, delta: Delta) => void;
  /** The environment has failed an effect, which stays outstanding. */
  readonly hinder: (fault: EnvironmentFault) => void;
  /**
   * The run cannot go on or end here: the environment has failed the end of a run below, or a run below is lost, or its
   * log not as it was written. A later process continues both.
   */
  readonly leave: (fault: Error) => void;
  readonly child: (execution: ChildExecution, call: EffectCall) => AsyncIterable<LoopEvent>;
  readonly now: () => number;
}

interface Running {
  readonly controller: AbortController;
  readonly over: Promise<void>;
  isOver: boolean;
}

const NOT_STARTED = 'it was told to stop while it was queued: it never started, and has done nothing';

/**
 * Makes the running effects match the state: starts outstanding ones that are not queued, aborts cancelling ones, drops
 * all others.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #running = new Map<string, Running>();
  /** Executions that have not ended, also where their result is no longer awaited. */
  readonly #atWork = new Set<Promise<void>>();
  /** Those of runs below that have left. */
  readonly #inherited = new Set<Promise<void>>();
  /** Those that were told to stop while they were queued. */
  readonly #neverStarted = new Set<string>();
  /** Those that the environment did not let start. */
  readonly #refused = new Set<string>();
  #abandoned = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  follow(state: RunState): void {
    for (const [effect, { controller, isOver }] of this.#running) {
      const one = state.outstanding.find((candidate) => candidate.effect === effect);
      if (!isOver && (!one || one.told)) controller.abort('abort' satisfies Stopped);
      if (!one) this.#running.delete(effect);
    }
    for (const one of state.outstanding) {
      if (this.#running.has(one.effect)) continue;
      if (one.told) this.#endQueued(one, state);
      else if (!one.queued) this.#start(one, state);
    }
  }

  /** Records that an effect which was told to stop while it was queued has never started. A child says that itself. */
  #endQueued(one: Outstanding, state: RunState): void {
    if (!one.queued || this.#neverStarted.has(one.effect)) return;
    this.#neverStarted.add(one.effect);
    const { scope, send } = this.#parts;
    if (specOf(one, scope.loop).class === 'child') return this.#start(one, state, 'abort');
    const event = interruption(one, NOT_STARTED, null, scope.loop);
    if (event) void send(event, one.effect);
  }

  /** The effects that have started in this process. */
  get begun(): ReadonlySet<string> {
    return new Set(this.#running.keys());
  }

  /** The effects that the environment did not let start. */
  get refused(): ReadonlySet<string> {
    return this.#refused;
  }

  /** Takes over child runs that were told to stop and that no process runs any more: only their end is missing. */
  adopt(state: RunState): void {
    for (const one of state.outstanding) {
      if (!one.told || specOf(one, this.#parts.scope.loop).class !== 'child') continue;
      const { over } = this.#running.get(one.effect) ?? { over: Promise.resolve() };
      void over.then(() => {
        if (!this.#abandoned) this.#start(one, state, 'abort');
      });
    }
  }

  /** Counts an execution as at work until it ends. */
  #watch(over: Promise<void>, isInherited = false): void {
    for (const working of isInherited ? [this.#atWork, this.#inherited] : [this.#atWork]) {
      working.add(over);
      void over.then(() => working.delete(over));
    }
  }

  /** Executions that have not ended, also those of runs below, and of the time before the run was resumed. */
  get atWork(): ReadonlySet<Promise<void>> {
    return this.#atWork;
  }

  /** Counts what this process has left at work when the run left it the last time. */
  takeOver(left: Iterable<Promise<void>>): void {
    for (const over of left) this.#watch(over, true);
  }

  /**
   * Takes over what a run below this one has left at work: it is not stopped before that has ended. Waits for it within
   * the grace, and until the signal. Returns whether nothing that runs below have left is at work any more.
   */
  inherit(below: Dispatcher, graceMs: number, signal: AbortSignal): Promise<boolean> {
    for (const over of below.#atWork) this.#watch(over, true);
    return emptied(this.#inherited, graceMs, signal);
  }

  /**
   * Aborts every effect, and waits until all are over, or the grace is. Returns whether nothing is at work any more, in
   * the runs below, too.
   */
  async stopAll(why: Stopped, graceMs: number): Promise<boolean> {
    for (const { controller } of this.#running.values()) controller.abort(why);
    return emptied(this.#atWork, graceMs);
  }

  /** The run has left this process: aborts every effect and ignores its further events. */
  abandon(why: Stopped): void {
    this.#abandoned = true;
    for (const { controller } of this.#running.values()) controller.abort(why);
    this.#running.clear();
  }

  #start(one: Outstanding, state: RunState, stopped?: Stopped): void {
    const controller = new AbortController();
    if (stopped) controller.abort(stopped);
    const over = this.#execute(one, state, controller.signal);
    this.#watch(over);
    const running: Running = { controller, over, isOver: false };
    this.#running.set(one.effect, running);
    void over.then(() => {
      running.isOver = true;
    });
  }

  async #execute(one: Outstanding, state: RunState, signal: AbortSignal): Promise<void> {
    const { scope, send } = this.#parts;
    try {
      const execution = scope.handlers.execute(one, this.#context(state));
      const { answered, refused } = await this.#listen(one, execution, state, signal);
      // An effect that the machine no longer waits for, such as an answered question, owes no final event.
      if (answered || this.#abandoned || !this.#running.has(one.effect)) return;
      const isLost = execution.kind === 'actor' && execution.effectClass === 'once';
      // A pause leaves what can be started again outstanding; an abort needs a final event of every effect.
      if (signal.reason === 'pause' && !isLost) return;
      if (!signal.aborted)
        throw new WrongAnswer(`it ended without a result${refused === null ? '' : `: ${refused} is not taken here`}`);
      // A child that ends without an event was never begun, so its reservation is free.
      const life = execution.kind === 'child' ? null : this.#parts.life();
      const event = interruption(one, 'it was told to stop', life, scope.loop);
      if (event) await send(event, one.effect);
    } catch (error) {
      if (this.#abandoned) return;
      // It says nothing about the work, and nothing more is to be recorded there.
      const isOfLog = error instanceof LogError && error.kind !== 'unavailable';
      if (isOfLog || error instanceof Lost) return this.#parts.leave(error);
      const fault = faultOfHandler(error, one, scope.loop);
      const isAborting = this.#parts.life().abort !== null;
      if (fault && !isAborting) {
        if (!fault.hasStarted) this.#refused.add(one.effect);
        return this.#parts.hinder(fault);
      }
      // An abort that went on would leave the child open for good: nothing resumes a run whose parent has ended.
      if (fault && specOf(one, scope.loop).class === 'child') return this.#parts.leave(fault);
      const reason = fault?.message ?? handlerFault(error, one, scope.loop);
      if (!fault) await send({ type: 'abort.requested', payload: { cause: 'error', reason } }, null);
      // Its actor is gone, so the abort need not wait for it until the grace is over.
      const event = interruption(one, reason, this.#parts.life(), scope.loop);
      if (event) await send(event, one.effect);
    }
  }

  /** Sends the events of an effect to the run. Tells whether its result was among them, and the last refused event. */
  async #listen(
    one: Outstanding,
    execution: Execution,
    { entry }: RunState,
    signal: AbortSignal,
  ): Promise<{ readonly answered: boolean; readonly refused: string | null }> {
    const { scope, send, delta, child, now } = this.#parts;
    const call: EffectCall = {
      id: `${scope.run}/${one.effect}`,
      attempt: one.attempt,
      signal,
      delta: (piece) => delta(one.effect, piece),
      now,
    };
    const events = execution.kind === 'child' ? child(execution, call) : execution.execute(call);
    let answered = false;
    let refused: string | null = null;
    for await (const event of events) {
      const parsed = entry.events.safeParse(event);
      if (!parsed.success) throw new WrongAnswer(noEvent(event, parsed.error, entry, specOf(one, scope.loop).answers));
      const result = await send(parsed.data as LoopEvent, one.effect);
      if (result.kind === 'rejected' && result.because === 'not_json') throw new WrongAnswer('its result is not JSON');
      if (result.kind === 'rejected' && result.because === 'unexpected') refused = (event as LoopEvent).type;
      answered ||= answererOf(entry, parsed.data as LoopEvent) === one.key;
    }
    return { answered, refused };
  }

  /** The time is a recorded one: a judge that is asked again later gets exactly the same context. */
  #context(state: RunState) {
    const { run, settings } = this.#parts.scope;
    return { run, settings, state, at: state.at };
  }
}
