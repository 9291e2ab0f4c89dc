import { expect, test } from 'vitest';
import { loop } from '../../../docs/examples/own-loop/reviewed.loop.ts';
import { Memory } from '../../../src/hosts/local/memory.ts';
import { ownPerformance } from '../../../src/hosts/local/own-effects.ts';
import { localTroupe } from '../../../src/hosts/local/troupe.ts';
import type { EffectSpec } from '../../../src/runtime/loop-definition.ts';
import { open } from '../../../src/runtime/fold.ts';
import * as has from '../../support/facts.ts';

const AT = '2030-01-01T00:00:00.000Z';

function classOf(effectClass: Exclude<EffectSpec['class'], 'child'>): string {
  const started = has.started('iteration');
  const { settings } = started.payload;
  const opened = open({ ...started, payload: { ...started.payload, machine: loop.id }, at: AT, version: 1 }, [loop]);
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  const performance = ownPerformance(async () => ({ type: 'review.failed', payload: {} }), {
    effect: { effect: '1/0', key: 'review', actor: 'askReviewer', input: {}, attempt: 1, told: false },
    effectClass,
    situation: { run: 'run', settings, state: opened.state, at: AT },
    memory: new Memory('run', settings, () => [], loop),
    troupe: localTroupe(),
  });
  return performance.kind === 'actor' ? performance.effectClass : performance.kind;
}

test('a handler is asked again only where its effect may be repeated', () => {
  expect((['repeatable', 'reconcilable', 'once', 'by input'] as const).map(classOf)).toEqual(['repeatable', 'once', 'once', 'once']);
});
