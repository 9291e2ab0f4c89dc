import { expect, test } from 'vitest';
import type { ModelParameters } from '../../../machines/model-parameters.ts';
import type { Model, ModelRequest } from '../../../src/actors/model/model.ts';
import type { ModelServices } from '../../../src/ports/services.ts';
import { loop } from '../../../docs/examples/own-loop/reviewed.loop.ts';
import { HandlerMemory } from '../../../src/loops/shared/handler-memory.ts';
import { ownEffect } from '../../../src/loops/shared/effects/own-effect.ts';
import { localServices } from '../../../src/hosts/local/local-services.ts';
import type { EffectHandler, EffectSpec } from '../../../src/kernel/effect-spec.ts';
import { open } from '../../../src/kernel/fold.ts';
import * as has from '../../support/facts.ts';

const AT = '2030-01-01T00:00:00.000Z';

function executed(
  { handler, parameters }: { readonly handler: EffectHandler; readonly parameters?: ModelParameters },
  models: Pick<ModelServices, 'ask'>,
  effectClass: Exclude<EffectSpec['class'], 'child'> = 'repeatable',
) {
  const started = has.started('iteration');
  const settings = { ...started.payload.settings, ...(parameters ? { parameters } : {}) };
  const opened = open({ ...started, payload: { ...started.payload, machine: loop.id }, at: AT, version: 1 }, [loop]);
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  const { askReviewer } = loop.effects;
  const effects = { ...loop.effects, askReviewer: { interrupted: null, ...askReviewer, class: effectClass } };
  const { strategies } = localServices();
  const execution = ownEffect(handler, models).execute?.({
    effect: { effect: '1/0', key: 'review', actor: 'askReviewer', input: {}, attempt: 1, told: false },
    context: { run: 'run', settings, state: opened.state, at: AT },
    memory: new HandlerMemory('run', settings, () => [], { ...loop, effects }),
    strategy: strategies.of({ configured: null, limits: settings.limits, directory: settings.directory }),
  });
  if (execution?.kind !== 'actor') throw new Error('not an actor');
  return execution;
}

const FAILED = { type: 'review.failed', payload: {} };

test('a handler is asked again only where its effect may be repeated', () => {
  const classOf = (effectClass: Exclude<EffectSpec['class'], 'child'>) =>
    executed({ handler: async () => FAILED }, localServices(), effectClass).effectClass;
  expect((['repeatable', 'reconcilable', 'once', 'by input'] as const).map(classOf)).toEqual([
    'repeatable',
    'once',
    'once',
    'once',
  ]);
});

test('G8 a handler asks a model as the run does, and sees that an answer was cut off', async () => {
  const asked: ModelRequest[] = [];
  const answer: Model['answer'] = async (request) => (asked.push(request), { text: 'It is', cut: 'length' });
  const said: unknown[] = [];
  const handler: EffectHandler = async ({ ask }) => (said.push(await ask({ prompt: 'Is it good?' })), FAILED);
  const parameters = { effort: 'low', temperature: 0.5, maxAnswerTokens: 900 } as const;
  const { execute } = executed({ handler, parameters }, localServices({ model: { name: 'own', answer } }));
  const call = { id: 'run/1/0', attempt: 1, signal: new AbortController().signal, delta: () => {} };
  for await (const event of execute(call)) expect(event).toMatchObject(FAILED);
  expect(asked).toMatchObject([{ parameters: { effort: 'low', temperature: 0.5 }, maxOutputTokens: 900 }]);
  expect(said).toMatchObject([{ kind: 'answered', text: 'It is', cut: 'length' }]);
});
