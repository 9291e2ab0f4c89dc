import type { LoopEvent } from '../../machines/events.ts';
import type { Actor, EffectClass } from '../../src/actors/actor.ts';
import type { ModelInput } from '../../src/actors/model/model-actor.ts';
import { never, stopped } from './stand-ins.ts';

const actor = (perform: Actor<ModelInput>['perform'], effectClass: EffectClass = 'repeatable'): Actor<ModelInput> => ({
  effectClass: () => effectClass,
  perform,
});

/** Says what it is told to, in place of a model. */
export const saying = (...events: readonly unknown[]): Actor<ModelInput> =>
  actor(async function* says() {
    yield* events as LoopEvent[];
  });

export const throwing = (message: string): Actor<ModelInput> =>
  actor(async function* throws() {
    yield { type: 'warning.raised', payload: { code: 'soon', message: 'it is about to throw' } };
    throw new Error(message);
  });

/** Never answers, and does not hear that it is told to stop. */
export const deaf = (effectClass: EffectClass = 'once'): Actor<ModelInput> =>
  actor(async function* waits() {
    yield await never();
  }, effectClass);

/** Answers only when it is told to stop, and asks for a call nevertheless. */
export const stubborn = (name: string): Actor<ModelInput> =>
  actor(async function* answers(_input, call) {
    await stopped(call);
    const { payload } = answered('One more thing.');
    const calls = [{ callId: '0.0', providerId: null, tool: name, arguments: {} }];
    yield { type: 'model.completed', payload: { ...payload, calls } };
  });

/** Ends without a word as soon as it is told to stop. */
export const silent = (effectClass: EffectClass): Actor<unknown> => ({
  effectClass: () => effectClass,
  async *perform(_input, call) {
    call.delta({ kind: 'output', text: 'running' });
    await stopped(call);
    yield* [];
  },
});

export const answered = (text: string) => ({
  type: 'model.completed',
  payload: { text, calls: [], usage: { inputTokens: 1, outputTokens: 1 } },
});
