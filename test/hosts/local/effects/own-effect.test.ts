import { expect, test } from 'vitest';
import { loop } from '../../../../docs/examples/own-loop/reviewed.loop.ts';
import { HandlerMemory } from '../../../../src/hosts/local/effects/handler-memory.ts';
import { ownEffect } from '../../../../src/hosts/local/effects/own-effect.ts';
import { localServices } from '../../../../src/hosts/local/services.ts';
import type { EffectSpec } from '../../../../src/kernel/effect-spec.ts';
import { open } from '../../../../src/kernel/fold.ts';
import * as has from '../../../support/facts.ts';

const AT = '2030-01-01T00:00:00.000Z';

function classOf(effectClass: Exclude<EffectSpec['class'], 'child'>): string {
  const started = has.started('iteration');
  const { settings } = started.payload;
  const opened = open({ ...started, payload: { ...started.payload, machine: loop.id }, at: AT, version: 1 }, [loop]);
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  const { askReviewer } = loop.effects;
  const effects = { ...loop.effects, askReviewer: { interrupted: null, ...askReviewer, class: effectClass } };
  const services = localServices();
  const execution = ownEffect(async () => ({ type: 'review.failed', payload: {} }), services).execute?.({
    effect: { effect: '1/0', key: 'review', actor: 'askReviewer', input: {}, attempt: 1, told: false },
    context: { run: 'run', settings, state: opened.state, at: AT },
    memory: new HandlerMemory('run', settings, () => [], { ...loop, effects }),
    strategy: services.strategies.of({ configured: null, limits: settings.limits, directory: settings.directory }),
  });
  return execution?.kind === 'actor' ? execution.effectClass : 'not an actor';
}

test('a handler is asked again only where its effect may be repeated', () => {
  expect((['repeatable', 'reconcilable', 'once', 'by input'] as const).map(classOf)).toEqual([
    'repeatable',
    'once',
    'once',
    'once',
  ]);
});
