// Over 300 lines because each rule has a chart that breaks it.
import { describe, expect, test } from 'vitest';
import { fromCallback } from 'xstate';
import { z } from 'zod';
import { shippedLoops } from '../../src/loops/index.ts';
import { defineLoop } from '../../src/loops/define-loop.ts';
import type { WrittenLoop } from '../../src/loops/attempt-loop.ts';
import { lint, rules } from '../../src/testing/lint/lint.ts';
import type { EffectSpec } from '../../src/kernel/effect-spec.ts';
import { proofsOf } from '../../src/testing/proofs/proofs-of.ts';
import { LoopRuleError } from '../../src/testing/lint/loop-rule-error.ts';
import { definitionOf, offencesOf, parts, type SmallParts } from './small-loop.ts';

/** For each rule one way to break it, and where and what is found then. */
const broken: Readonly<Record<string, readonly [breaks: (small: SmallParts) => void, place: string, found: string]>> = {
  'made-by-xstate': [() => {}, 'machine', 'undefined'],
  'nine-states': [({ states }) => void (states['pause'] = { description: 'A tenth.' }), 'states.pause', 'one too many'],
  'five-endings': [
    ({ states }) => void (states['budget'] = { description: 'No end.' }),
    'states.budget.type',
    'missing',
  ],
  'one-place-at-a-time': [
    ({ decide }) => void Object.assign(decide, { type: 'parallel' }),
    'states.decide.type',
    'parallel',
  ],
  'begins-in-decide': [({ chart }) => void (chart['initial'] = 'stream'), 'initial', 'stream'],
  'only-decide-ends': [
    ({ states }) => void (states['tools'] = { description: 'A.', always: [{ description: 'Out.', target: 'abort' }] }),
    'states.tools.always[0].target',
    'abort',
  ],
  'id-is-written': [
    ({ chart, states }) => {
      chart['id'] = 'a loop';
      for (const name of ['stream', 'tools', 'verify'])
        states[name] = { description: 'A.', on: { 'a.happened': { target: 'decide' } } };
    },
    'id',
    '"a loop"',
  ],
  'version-is-written': [({ chart }) => void delete chart['version'], 'version', 'none, in the loop small@'],
  'nothing-but-names': [
    ({ decide }) => void (decide.on['a.happened'] = { target: 'stream', actions: [() => {}] }),
    'states.decide.on.a.happened.actions[0]',
    'a function',
  ],
  'names-are-provided': [
    ({ decide }) => void (decide.on['a.happened'] = { guard: 'odd', target: 'stream' }),
    'states.decide.on.a.happened.guard',
    'odd is not among the guards',
  ],
  'what-is-provided-is-used': [
    ({ named }) => void (named.actions['idle'] = () => {}),
    'setup.actions.idle',
    'nothing names it',
  ],
  'one-inert-actor': [
    ({ named, more }) => {
      named.actors['other'] = fromCallback(() => {});
      more.effects = { other: { class: 'repeatable', interrupted: null } };
    },
    'setup.actors',
    '2 different ones',
  ],
  'a-context-without-input': [
    ({ chart }) => void (chart['context'] = ({ input }: { input: { at: string } }) => ({ at: input.at })),
    'context',
    "TypeError: Cannot read properties of undefined (reading 'at')",
  ],
  'invokes-have-ids': [
    (small) => void (delete small.decide.invoke['id'], (small.settles = {})),
    'states.decide.invoke.id',
    'none for judge',
  ],
  'one-effect-a-key': [
    ({ chart }) => void (chart['invoke'] = { id: 'judge', src: 'judge' }),
    'states.decide.invoke.id',
    'judge, once more',
  ],
  'no-system-id': [
    ({ decide }) => void (decide.invoke['systemId'] = 'judge'),
    'states.decide.invoke.systemId',
    'a systemId',
  ],
  'nothing-waits-by-itself': [
    ({ decide }) => void Object.assign(decide, { after: { 9: 'tools' } }),
    'states.decide.after',
    'a clock',
  ],
  'results-are-events': [
    ({ decide }) => void (decide.invoke['onDone'] = 'tools'),
    'states.decide.invoke.onDone',
    'a result that is no event',
  ],
  'states-are-described': [
    ({ states }) => void delete states['verify']?.['description'],
    'states.verify.description',
    'none',
  ],
  'choices-are-described': [
    ({ decide }) => void (decide.on['a.happened'] = { target: 'decide', reenter: true }),
    'states.decide.on.a.happened.description',
    'none',
  ],
  'what-is-taken-does-something': [
    ({ decide }) => void (decide.on['a.happened'] = { description: 'No.', guard: 'goesOn' }),
    'states.decide.on.a.happened',
    'a guard before nothing',
  ],
  'vocabulary-is-facts': [() => {}, 'events', 'no union of facts'],
  'what-is-taken-can-happen': [
    ({ decide }) => void (decide.on['b.happened'] = { target: 'stream' }),
    'states.decide.on.b.happened',
    'b.happened is not in the vocabulary',
  ],
  'what-can-happen-is-taken': [
    ({ events }) => void (events['b.happened'] = { id: z.string() }),
    'events.b.happened',
    'no state takes it',
  ],
  'results-have-an-effect': [
    ({ settles }) => void (settles['a.happened'] = 'jugde'),
    'settles.a.happened',
    'nothing is invoked as jugde',
  ],
  'the-definition-is-whole': [
    ({ more }) => void (more.effects = { judge: undefined as never }),
    'effects.judge',
    'undefined',
  ],
  'members-are-known': [
    ({ more }) => void Object.assign(more, { hears: () => null }),
    'hears',
    'unknown, its name is now `strategyInput`',
  ],
  'effects-are-described': [
    ({ named }) => void (named.actors['other'] = named.actors['judge']),
    'effects.other',
    'missing',
  ],
  'what-is-described-is-started': [
    ({ more }) => void (more.effects = { other: { class: 'repeatable', interrupted: null } }),
    'effects.other',
    'nothing starts it',
  ],
  'classes-are-known': [
    ({ more }) => void (more.effects = { judge: judged({ class: 'sometimes' as never }) }),
    'effects.judge.class',
    'sometimes',
  ],
  'interruptions-are-recorded': [
    ({ more }) => void (more.effects = { judge: judged({ class: 'once', interrupted: null }) }),
    'effects.judge.interrupted',
    'nothing, for an effect of the class once',
  ],
  'interruptions-are-results': [
    ({ more, settles }) => {
      more.effects = { judge: judged({ class: 'once' }) };
      delete settles['a.happened'];
    },
    'effects.judge.interrupted',
    'a.happened answers no effect, and this one is judge',
  ],
  'effects-have-answers': [
    ({ decide, named, more }) => {
      Object.assign(decide, { invoke: [decide.invoke, { id: 'checks', src: 'ask' }] });
      named.actors['ask'] = named.actors['judge'];
      more.effects = { ask: { class: 'repeatable', interrupted: () => null } };
    },
    'effects.ask.answers',
    'no event answers checks',
  ],
  'answers-are-taken': [
    ({ decide, states, settles }) => {
      states['stream'] = { ...states['stream'], on: { 'decision.made': { target: 'decide' } } };
      decide.on = { 'a.happened': { target: 'stream', actions: 'note' } };
      Object.assign(states['tools'] ?? {}, {
        on: { 'a.happened': { guard: 'goesOn', target: 'decide', description: 'On.' } },
      });
      delete settles['a.happened'];
    },
    'states.decide.on',
    'no decision.made, which answers judge',
  ],
  'people-can-answer': [
    ({ more }) => {
      more.effects = { judge: { class: 'repeatable', interrupted: null, asksPerson: true } };
      more.describe = { questions: () => ({ observe: () => {}, asked: () => [] }) };
      more.commands = { 'a.happened': () => 'not asked' };
    },
    'answered',
    'missing, and judge asks a person',
  ],
  'rounds-begin-with-a-fact': [({ more }) => void delete more.rounds, 'rounds.started', 'not said'],
  'named-events-can-happen': [
    ({ more }) => void (more.commands = { 'b.said': () => 'no' }),
    'commands.b.said',
    'b.said is not in the vocabulary',
  ],
};

/** What is said of the small loop's only effect, with something else in it. */
function judged(odd: Partial<EffectSpec>): EffectSpec {
  return { class: 'repeatable', interrupted: () => ({ type: 'a.happened', payload: {} }), ...odd };
}

function definition(
  rule = '',
  breaks: (small: SmallParts) => void = () => {},
): WrittenLoop<{ type: string; payload: object }> {
  const small = parts();
  breaks(small);
  const whole = definitionOf(small);
  if (rule === 'made-by-xstate') return { ...whole, machine: undefined as never };
  return rule === 'vocabulary-is-facts'
    ? { ...whole, events: z.looseObject({ type: z.string(), payload: z.looseObject({}) }), settles: {} }
    : whole;
}

const thrown = (rule: string): unknown => {
  try {
    return defineLoop(definition(rule, broken[rule]?.[0]));
  } catch (error) {
    return error;
  }
};

describe('each rule', () => {
  test('has its offender', () =>
    expect(Object.keys(broken).toSorted()).toEqual(rules.map(({ name }) => name).toSorted()));

  test('lets a sound loop pass, which is called by its machine', () =>
    expect(defineLoop(definition())).toMatchObject({ id: 'small@1', settles: { 'a.happened': 'judge' } }));

  test.each(Object.entries(broken))('%s is reported, and no other rule', (rule, [, place, found]) => {
    const error = thrown(rule);
    expect(error).toBeInstanceOf(LoopRuleError);
    const { offences } = error as LoopRuleError;
    expect(offences).toEqual([{ rule, place, found, remedy: rules.find(({ name }) => name === rule)?.remedy }]);
  });

  test.each([
    [
      'several ways',
      [
        { guard: 'goesOn', target: 'stream' },
        { description: 'Else.', target: 'tools' },
      ],
      '[0]',
    ],
    ['a closed way', {}, ''],
  ])('choices-are-described reports %s without a description', (_what, written, which) => {
    const loop = definition('', ({ decide }) => void (decide.on['a.happened'] = written));
    expect(offencesOf(loop).map(({ place }) => place)).toEqual([`states.decide.on.a.happened${which}.description`]);
  });

  test('is told in one error with all its offences, so that a person reads them once', () => {
    const both = definition('', ({ chart, decide }) => {
      chart['initial'] = 'stream';
      decide.invoke['systemId'] = 'judge';
    });
    expect(() => defineLoop(both)).toThrow(
      [
        'small@1 breaks rules of loops:',
        "  begins-in-decide, at initial: stream. Write `initial: 'decide'`: even the first round is a decision.",
        '  no-system-id, at states.decide.invoke.systemId: a systemId. Take it out: the `id` is enough, and a system of actors is not there when a log is folded.',
      ].join('\n'),
    );
  });
});

describe('a loop written without types', () => {
  const whole = definitionOf(parts());

  test.each([
    ['nothing', undefined, 'made-by-xstate, at machine: undefined. Hand in what'],
    ['no machine', { ...whole, machine: undefined }, 'made-by-xstate, at machine: undefined. Hand in what'],
    [
      'a config that no machine was made of',
      { ...whole, machine: { id: 'small', states: {} } },
      'at machine: an object with id, states. Hand in what',
    ],
    [
      'actor logic that is no machine',
      { ...whole, machine: fromCallback(() => {}) },
      'at machine: an object with config, start, transition',
    ],
    ['a string', { ...whole, machine: 'small' }, 'at machine: a string. Hand in what'],
    [
      'no vocabulary',
      { ...whole, events: undefined },
      'vocabulary-is-facts, at events: no union of facts. Make `events`',
    ],
    ['a list of facts', { ...whole, events: [] }, 'vocabulary-is-facts, at events: no union of facts. Make `events`'],
  ])('is told what to hand in instead of %s', (_what, odd, told) => {
    const define = () => defineLoop(odd as never);
    expect(define).toThrow(LoopRuleError);
    expect(define).toThrow(told);
  });

  test('is told of an id that is not written', () => {
    const small = parts();
    delete small.chart['id'];
    for (const name of ['stream', 'tools', 'verify'])
      small.states[name] = { description: 'A.', on: { 'a.happened': { target: 'decide' } } };
    expect(() => defineLoop(definitionOf(small))).toThrow(
      "id-is-written, at id: none. Write an `id` such as 'reviewed'",
    );
  });
});

describe('an effect of a loop is told', () => {
  const told = (spec: object, more: object = {}): string[] => {
    const small = parts();
    small.more.effects = { judge: spec as EffectSpec };
    Object.assign(small.more, more);
    return offencesOf(definitionOf(small)).map(({ place, found }) => `${place}: ${found}`);
  };

  test.each([
    [
      'it does not say what is recorded when it is interrupted',
      { class: 'repeatable' },
      'effects.judge.interrupted: not said',
    ],
    [
      'it records nothing, by a function',
      { class: 'child', interrupted: () => null },
      'effects.judge.interrupted: nothing, for an effect of the class child',
    ],
    [
      'it records what cannot happen',
      judged({ interrupted: () => ({ type: 'b.lost', payload: {} }) }),
      'effects.judge.interrupted: b.lost is not in the vocabulary',
    ],
    [
      'it records what is no such event',
      judged({ interrupted: () => ({ type: 'a.happened', payload: { odd: 1 } }) }),
      'effects.judge.interrupted: a.happened: ✖ Unrecognized key: "odd" → at payload',
    ],
    [
      'it is answered by what cannot happen',
      judged({ answers: { 'b.given': 'judge' } }),
      'effects.judge.answers.b.given: b.given is not in the vocabulary',
    ],
    [
      'its results are those of nothing',
      judged({ answers: { 'a.happened': 'jugde' } }),
      'effects.judge.answers.a.happened: nothing is invoked as jugde',
    ],
  ])('where %s', (_what, spec, offence) => expect(told(spec)).toContain(offence));

  test('where its handler performs nothing', () =>
    expect(told(judged({}), { handlers: { other: async () => ({ type: 'a.happened', payload: {} }) } })).toEqual([
      'handlers.other: nothing starts it',
    ]));
});

test.each(['1.10.0', 'two', '0'])(
  'the version %s is refused: which of two is the newer could not be told',
  (version) => {
    const small = parts();
    small.chart['version'] = version;
    expect(offencesOf(definitionOf(small)).map(({ rule, found }) => `${rule}: ${found}`)).toEqual([
      `version-is-written: ${version}, in the loop small@${version}`,
    ]);
  },
);

test('a definition that was not made by defineLoop is told what it lacks, by the rules and by the proofs', () => {
  const bare = { ...definitionOf(parts()), rounds: undefined, id: 'small@1' } as never;
  expect(lint(bare).map(({ rule, place }) => `${rule} ${place}`)).toEqual(
    ['rounds', 'effects', 'judge', 'describe'].map((place) => `the-definition-is-whole ${place}`),
  );
  expect(() => proofsOf(bare, { openings: {} } as never)).toThrow(LoopRuleError);
  expect(() =>
    proofsOf({ ...defineLoop(definition()), machine: undefined as never }, { openings: {} } as never),
  ).toThrow('made-by-xstate, at machine: undefined.');
});

test.each<readonly [string, () => object, string]>([
  [
    'goOn',
    () => ({ goOn: () => null }),
    'unknown, its name is now `otherwise`, in the second argument of `judgeInOrder`',
  ],
  ['judges', () => ({ judges: () => null }), 'unknown, the nearest is `judge`'],
  ['describe.lines', () => ({ describe: { lines: () => null } }), 'unknown, the nearest is `line`'],
  ['settings.bound', () => ({ settings: { bounds: [], bound: [] } }), 'unknown, the nearest is `bounds`'],
  [
    'effects.judge.spend',
    () => ({ effects: { judge: { class: 'repeatable', interrupted: null, spend: true } } }),
    'unknown, the nearest is `spends`',
  ],
  [
    'settings.xyz',
    () => ({ settings: { bounds: [], xyz: [] } }),
    'unknown, the known members are options, models, bounds, ofChildren, defaults, refuses, needsCleanStart, needsGit',
  ],
])('a definition without types is told of its unknown member %s', (place, more, found) => {
  const small = parts();
  Object.assign(small.more, more());
  expect(offencesOf(definitionOf(small))).toContainEqual(
    expect.objectContaining({ rule: 'members-are-known', place, found }),
  );
});

test.each(shippedLoops)('$id keeps the rules of every loop', (loop) => expect(lint(loop)).toEqual([]));
