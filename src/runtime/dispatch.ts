import { z } from 'zod';
import type { LoopEvent } from '../../machines/events.ts';
import { answererOf } from '../../machines/index.ts';
import type { Delta, EffectCall, Stopped } from '../actors/actor.ts';
import type { ChildPerformance, Performance } from './cast.ts';
import type { Outstanding, RunState } from './fold.ts';
import type { Life } from '../../machines/life.ts';
import { interruption } from './interruption.ts';
import { specOf } from './loop-definition.ts';
import type { Verdict } from './mailbox.ts';
import type { Stage } from './react.ts';

export interface DispatcherParts {
  readonly stage: Stage;
  readonly send: (event: LoopEvent, causation: string | null) => Promise<Verdict>;
  /** Where the run stands now. */
  readonly life: () => Life;
  readonly delta: (effect: string, delta: Delta) => void;
  readonly child: (performance: ChildPerformance, call: EffectCall) => AsyncIterable<LoopEvent>;
}

interface Running {
  readonly controller: AbortController;
  readonly over: Promise<void>;
  isOver: boolean;
}

/** Makes the world follow the state: starts what is outstanding, tells what was told, drops what nobody waits for. */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #running = new Map<string, Running>();
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

  /** Takes over a child run that was told to stop, and is served by nobody any more: only its end is missing. */
  adopt(state: RunState): void {
    for (const one of state.outstanding) {
      if (!one.told || specOf(one, this.#parts.stage.loop).class !== 'child') continue;
      const { over } = this.#running.get(one.effect) ?? { over: Promise.resolve() };
      void over.then(() => {
        if (!this.#abandoned) this.#start(one, state, 'abort');
      });
    }
  }

  /** Tells every effect to stop and waits until all are over, or the grace is. */
  async stopAll(why: Stopped, graceMs: number): Promise<void> {
    const all = [...this.#running.values()];
    for (const { controller } of all) controller.abort(why);
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.all(all.map(({ over }) => over)), grace]);
    clearTimeout(timer);
  }

  /** The run is over here: nothing that still runs is listened to. */
  abandon(why: Stopped): void {
    this.#abandoned = true;
    for (const { controller } of this.#running.values()) controller.abort(why);
    this.#running.clear();
  }

  #start(one: Outstanding, state: RunState, told?: Stopped): void {
    const controller = new AbortController();
    if (told) controller.abort(told);
    const over = this.#perform(one, state, controller.signal);
    const running: Running = { controller, over, isOver: false };
    this.#running.set(one.effect, running);
    void over.then(() => {
      running.isOver = true;
    });
  }

  async #perform(one: Outstanding, state: RunState, signal: AbortSignal): Promise<void> {
    const { stage, send } = this.#parts;
    try {
      const performance = stage.cast.perform(one, this.#situation(state));
      const answered = await this.#listen(one, performance, state, signal);
      // Whom nobody waits for any more, as when a person has answered, owes no last word.
      if (answered || this.#abandoned || !this.#running.has(one.effect)) return;
      const loses = performance.kind === 'actor' && performance.effectClass === 'once';
      // A pause leaves what can be started again outstanding; an abort wants a last word from everybody.
      if (signal.reason === 'pause' && !loses) return;
      if (!signal.aborted) throw new Error('it ended without a result');
      // A child that ends without a word was never begun.
      const life = performance.kind === 'child' ? null : this.#parts.life();
      const word = interruption(one, 'it was told to stop', life, stage.loop);
      if (word) await send(word, one.effect);
    } catch (error) {
      if (this.#abandoned) return;
      const reason = `${one.actor} broke its promise: ${error instanceof Error ? error.message : String(error)}`;
      await send({ type: 'abort.requested', payload: { cause: 'error', reason } }, null);
      // Nobody has to wait out the grace for somebody who is gone.
      const word = interruption(one, reason, this.#parts.life(), stage.loop);
      if (word) await send(word, one.effect);
    } finally {
      if (!this.#abandoned && signal.aborted) this.#running.delete(one.effect);
    }
  }

  /** Passes on what an effect says, and tells whether its result was among it. */
  async #listen(
    one: Outstanding,
    performance: Performance,
    { entry }: RunState,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { stage, send, delta, child } = this.#parts;
    const call: EffectCall = {
      id: `${stage.run}/${one.effect}`,
      attempt: one.attempt,
      signal,
      delta: (piece) => delta(one.effect, piece),
    };
    const events = performance.kind === 'child' ? child(performance, call) : performance.perform(call);
    let answered = false;
    for await (const event of events) {
      const parsed = entry.events.safeParse(event);
      if (!parsed.success) throw new Error(`${String(Object(event).type)} is no event of ${entry.id}: ${z.prettifyError(parsed.error)}`);
      const verdict = await send(parsed.data as LoopEvent, one.effect);
      if (verdict.kind === 'rejected' && verdict.because === 'not_json') throw new Error('its result is not JSON');
      answered ||= answererOf(entry, parsed.data as LoopEvent) === one.key;
    }
    return answered;
  }

  /** The time is a recorded one too: who asks a judge again later asks exactly what it was asked. */
  #situation(state: RunState) {
    const { run, settings } = this.#parts.stage;
    return { run, settings, state, at: state.at };
  }
}
