import type { LoopEvent } from '../../machines/events.ts';
import type { Actor, EffectClass } from '../../src/actors/actor.ts';
import type { ModelInput } from '../../src/actors/model/model-actor.ts';
import { never, stopped } from './stand-ins.ts';

const actor = (execute: Actor<ModelInput>['execute'], effectClass: EffectClass = 'repeatable'): Actor<ModelInput> => ({
  effectClass: () => effectClass,
  execute,
});

/** Yields these events, in place of a model. */
export const saying = (...events: readonly unknown[]): Actor<ModelInput> =>
  actor(async function* says() {
    yield* events as LoopEvent[];
  });

export const throwing = (message: string): Actor<ModelInput> =>
  actor(async function* throws() {
    yield { type: 'warning.raised', payload: { code: 'soon', message: 'it is about to throw' } };
    throw new Error(message);
  });

/** Never answers, and ignores an abort. */
export const unresponsive = (effectClass: EffectClass = 'once'): Actor<ModelInput> =>
  actor(async function* waits() {
    yield await never();
  }, effectClass);

/** Answers only after an abort, and asks for a call nevertheless. */
export const answersAfterAbort = (name: string): Actor<ModelInput> =>
  actor(async function* answers(_input, call) {
    await stopped(call);
    const { payload } = answered('One more thing.');
    const calls = [{ callId: '0.0', providerId: null, tool: name, arguments: {} }];
    yield { type: 'model.completed', payload: { ...payload, calls } };
  });

/** Ends without an event as soon as it is told to stop. */
export const silent = (effectClass: EffectClass): Actor<unknown> => ({
  effectClass: () => effectClass,
  async *execute(_input, call) {
    call.delta({ kind: 'output', text: 'running' });
    await stopped(call);
    yield* [];
  },
});

export const answered = (text: string) => ({
  type: 'model.completed',
  payload: { text, calls: [], usage: { inputTokens: 1, outputTokens: 1 } },
});
