import { describe, expect, test } from 'vitest';
import { assign, createMachine } from 'xstate';
import { z } from 'zod';
import { fact, type LoopEvent } from '../../machines/events.ts';
import type { Life } from '../../machines/life.ts';
import { ReviewedEvent } from '../../docs/examples/own-loop/reviewed.events.ts';
import { loop } from '../../docs/examples/own-loop/reviewed.loop.ts';
import { environment as example } from '../../docs/examples/own-loop/reviewed.environment.ts';
import type { LoopDefinition } from '../../src/kernel/loop-definition.ts';
import { firstViolation } from '../../src/testing/search.ts';
import type { ProofEnvironment } from '../../src/testing/proof-environment.ts';

// The example with rounds, and a counter, that no loop that ships has: laws know of them by the definition alone.

const DRAFT = fact('draft.started', { draft: z.number() });
const facts = ReviewedEvent.options.filter(({ shape }) => shape.type.value !== 'iteration.started');
const renamed = (event: LoopEvent): LoopEvent =>
  event.type === 'iteration.started'
    ? ({ type: 'draft.started', payload: { draft: event.payload.iteration } } as unknown as LoopEvent)
    : event;

const lived = example as unknown as ProofEnvironment;
const environment: ProofEnvironment = {
  ...lived,
  follows: (event, state) => {
    const next = lived.follows(event, state);
    return next && renamed(next);
  },
  noise: lived.noise.map(renamed),
};

type Part = (on: { context: Life & { iterations: number }; event: LoopEvent }) => object;

/** `begun`: what the context forgets, or counts, as a round begins. */
function drafted(begun: Part, more: Partial<LoopDefinition> = {}): LoopDefinition {
  const { context, ...config } = loop.machine.config;
  const chart = JSON.parse(JSON.stringify(config).replaceAll('iteration.started', 'draft.started')) as object;
  const { actions, guards, ...others } = loop.machine.implementations;
  const isNextIteration = ({ context: life, event }: Parameters<Part>[0]) =>
    life.isBeginning && String(event.type) === 'draft.started';
  const machine = createMachine(
    { ...chart, context } as never,
    {
      ...others,
      guards: { ...guards, isNextIteration },
      actions: { ...actions, countIteration: assign(begun as never) },
    } as never,
  );
  return {
    ...loop,
    machine: machine as unknown as LoopDefinition['machine'],
    events: z.discriminatedUnion('type', [DRAFT, ...facts] as never),
    rounds: { ...loop.rounds, started: 'draft.started', counters: ['tries'] },
    ...more,
  };
}

const sound: Part = ({ context }) => ({
  iterations: context.iterations + 1,
  attempt: null,
  review: null,
  verification: null,
  isBeginning: false,
  warnings: 0,
  steered: null,
  tries: 0,
});
const without =
  (...names: readonly string[]): Part =>
  (on) =>
    Object.fromEntries(Object.entries(sound(on)).filter(([name]) => !names.includes(name)));

const found = (broken: LoopDefinition): string | null => {
  const violation = firstViolation(broken, environment, { seed: 1, events: 6_000, thoroughOneIn: 4 });
  return violation && `${violation.invariant}: ${String(violation.error)}`;
};

describe('a loop whose rounds have a name of their own', () => {
  test('keeps every law', () => expect(found(drafted(sound))).toBeNull());

  test.each<readonly [string, LoopDefinition, string]>([
    ['its warnings are not counted anew', drafted(without('warnings')), 'warnings as a round begins is'],
    [
      'a counter of its own is not',
      drafted((on) => ({ ...sound(on), tries: 7 })),
      'tries as a round begins is 7, expected 0',
    ],
    [
      'old checks are held for those of new work',
      drafted(without('verification')),
      'what is remembered after draft.started is',
    ],
    ['what a person has said stays unheard', drafted(without('steered')), 'what is remembered after draft.started is'],
    [
      'it spends what its definition does not say',
      drafted((on) => ({ ...sound(on), spend: { ...on.context.spend, steps: on.context.spend.steps + 1 } })),
      'spending is conserved across parent and children',
    ],
    [
      'its definition says what it does not spend',
      drafted(sound, { spend: ({ type }) => (String(type) === 'draft.started' ? { steps: 1 } : {}) }),
      'spending is conserved across parent and children',
    ],
    [
      'it sets aside what its definition does not say',
      drafted((on) => ({ ...sound(on), reserved: { agent: { tokens: 5, nanoUsd: null } } })),
      'what is set aside is',
    ],
    [
      'an effect that is awaited is described as one that is not',
      drafted(sound, { effects: { ...loop.effects, askReviewer: { class: 'repeatable', interrupted: null } } }),
      'what is pending',
    ],
  ])('is told where %s', (_what, broken, told) => expect(found(broken)).toContain(told));
});
