import { inspect } from 'node:util';
import { z } from 'zod';
import type { LoopEvent } from '../../machines/events.ts';
import { answererOf } from '../../machines/index.ts';
import { vocabularyOf } from '../../machines/vocabulary.ts';
import type { Delta, EffectCall, Stopped } from '../actors/actor.ts';
import type { ChildExecution, Execution } from '../kernel/effect-handlers.ts';
import type { Outstanding, RunState } from '../kernel/fold.ts';
import type { Life } from '../../machines/life.ts';
import { interruption } from '../kernel/interruption.ts';
import { specOf } from '../kernel/loop-definition.ts';
import type { EffectSpec } from '../kernel/effect-spec.ts';
import { handlerFault, WrongAnswer } from './handler-fault.ts';
import type { PostResult } from '../kernel/run-message.ts';
import type { RunScope } from '../kernel/react.ts';

export interface DispatcherParts {
  readonly scope: RunScope;
  readonly send: (event: LoopEvent, causation: string | null) => Promise<PostResult>;
  /** The context of the run's machine now. */
  readonly life: () => Life;
  readonly delta: (effect: string, delta: Delta) => void;
  readonly child: (execution: ChildExecution, call: EffectCall) => AsyncIterable<LoopEvent>;
}

interface Running {
  readonly controller: AbortController;
  readonly over: Promise<void>;
  isOver: boolean;
}

/** Makes the running effects match the state: starts outstanding ones, aborts cancelling ones, drops all others. */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #running = new Map<string, Running>();
  /** Executions that have not ended, also where their result is no longer awaited. */
  readonly #atWork = new Set<Promise<void>>();
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
      if (!one.told && !this.#running.has(one.effect)) this.#start(one, state);
    }
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
  #watch(over: Promise<void>): void {
    this.#atWork.add(over);
    void over.then(() => this.#atWork.delete(over));
  }

  /** Takes over what a run below this one has left at work: it is not stopped before that has ended. */
  inherit(below: Dispatcher): void {
    for (const over of below.#atWork) this.#watch(over);
  }

  /**
   * Aborts every effect, and waits until all are over, or the grace is. Returns whether nothing is at work any more, in
   * the runs below, too.
   */
  async stopAll(why: Stopped, graceMs: number): Promise<boolean> {
    for (const { controller } of this.#running.values()) controller.abort(why);
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<'over'>((resolve) => {
      timer = setTimeout(() => resolve('over'), graceMs);
    });
    // Again and again: a run below that ends may leave something behind.
    while (this.#atWork.size > 0 && (await Promise.race([Promise.all(this.#atWork), grace])) !== 'over');
    clearTimeout(timer);
    return this.#atWork.size === 0;
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
      const reason = handlerFault(error, one, scope.loop);
      await send({ type: 'abort.requested', payload: { cause: 'error', reason } }, null);
      // Its actor is gone, so the abort need not wait for it until the grace is over.
      const event = interruption(one, reason, this.#parts.life(), scope.loop);
      if (event) await send(event, one.effect);
    } finally {
      if (!this.#abandoned && signal.aborted) this.#running.delete(one.effect);
    }
  }

  /** Sends the events of an effect to the run. Tells whether its result was among them, and the last refused event. */
  async #listen(
    one: Outstanding,
    execution: Execution,
    { entry }: RunState,
    signal: AbortSignal,
  ): Promise<{ readonly answered: boolean; readonly refused: string | null }> {
    const { scope, send, delta, child } = this.#parts;
    const call: EffectCall = {
      id: `${scope.run}/${one.effect}`,
      attempt: one.attempt,
      signal,
      delta: (piece) => delta(one.effect, piece),
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

/** Which member of an answer is wrong; for an unknown event, the events that the effect may answer with. */
function noEvent(
  event: unknown,
  error: z.ZodError,
  { id, events }: RunState['entry'],
  answers: EffectSpec['answers'] = {},
): string {
  const { type } = Object(event) as { readonly type?: unknown };
  if (typeof type !== 'string') return `${inspect(event, { depth: 0 })} is no event`;
  const own = Object.keys(answers);
  const isKnown = own.length === 0 || vocabularyOf(events).has(type);
  return `${type} is no event of ${id}: ${isKnown ? z.prettifyError(error) : `its answers are ${own.join(', ')}`}`;
}
