import { fromCallback, setup } from 'xstate';
import { z } from 'zod';
import { fact } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import { defineLoop } from '../../src/loops/define-loop.ts';
import type { WrittenLoop } from '../../src/loops/attempt-loop.ts';
import { LoopRuleError } from '../../src/testing/lint/loop-rule-error.ts';
import type { Offence } from '../../src/testing/lint/rule.ts';

type Parts = Record<string, unknown>;

/** The smallest loop that keeps every rule, as parts to break. */
export function parts() {
  const external = fromCallback(() => {});
  const stays = { description: 'A place.', on: { 'a.happened': { target: '#small.decide' } } };
  const end = { description: 'An end.', type: 'final' };
  const decide = {
    description: 'Go on, or end.',
    invoke: { id: 'judge', src: 'judge' } as Parts,
    entry: { type: 'note', params: { actor: 'judge' } } as unknown,
    on: {
      'decision.made': [
        { description: 'On.', guard: 'goesOn', target: 'stream' },
        { description: 'No more.', target: 'success', actions: 'note' },
      ],
    } as Parts,
  };
  const states: Record<string, Parts> = { stream: { ...stays }, tools: { ...stays }, verify: { ...stays }, decide };
  for (const name of ['success', 'cap_hit', 'doom_loop', 'budget', 'abort']) states[name] = { ...end };
  return {
    named: {
      actors: { judge: external } as Parts,
      guards: { goesOn: () => true } as Parts,
      actions: { note: () => {} } as Parts,
    },
    chart: {
      id: 'small',
      version: '1',
      description: 'Small.',
      initial: 'decide',
      context: () => ({}),
      states,
    } as Parts,
    states,
    decide,
    events: { 'run.started': {}, 'decision.made': {}, 'a.happened': {} } as Record<string, z.ZodRawShape>,
    settles: { 'a.happened': 'judge' } as Record<string, string>,
    /** What is said of it beside its chart. */
    more: {
      rounds: {
        started: 'a.happened',
        begin: () => ({ type: 'a.happened', payload: {} }),
        count: () => 0,
        limit: 'steps',
      },
    } as { -readonly [member in keyof WrittenLoop]?: WrittenLoop[member] },
  };
}

export type SmallParts = ReturnType<typeof parts>;

export const definitionOf = ({ named, chart, events, settles, more }: SmallParts) => ({
  ...more,
  machine: setup(named as never).createMachine(chart as never) as unknown as CatalogueEntry['machine'],
  events: vocabulary(events),
  settles,
});

/** The rules that a definition breaks. */
export function offencesOf(written: WrittenLoop): readonly Offence[] {
  try {
    defineLoop(written);
    return [];
  } catch (error) {
    if (error instanceof LoopRuleError) return error.offences;
    throw error;
  }
}

function vocabulary(events: SmallParts['events']) {
  const [first, ...others] = Object.entries(events).map(([type, shape]) => fact(type, shape));
  if (!first) throw new Error('a vocabulary has a fact at least');
  return z.discriminatedUnion('type', [first, ...others]);
}
