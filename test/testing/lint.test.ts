import { describe, expect, test } from 'vitest';
import { and, enqueueActions, fromCallback, not } from 'xstate';
import { z } from 'zod';
import { catalogue } from '../../machines/index.ts';
import { defineLoop, type WrittenLoop } from '../../src/loops/define-loop.ts';
import { lint, rules } from '../../src/testing/lint/lint.ts';
import { LoopRuleError } from '../../src/testing/lint/loop-rule-error.ts';
import { definitionOf, parts, type SmallParts } from './small-loop.ts';

/** For each rule one way to break it, and where and what is found then. */
const broken: Readonly<Record<string, readonly [breaks: (small: SmallParts) => void, place: string, found: string]>> = {
  'made-by-xstate': [() => {}, 'machine', 'undefined'],
  'nine-states': [({ states }) => void (states['pause'] = { description: 'A tenth.' }), 'states.pause', 'one too many'],
  'five-endings': [({ states }) => void (states['budget'] = { description: 'No end.' }), 'states.budget.type', 'missing'],
  'one-place-at-a-time': [({ decide }) => void Object.assign(decide, { type: 'parallel' }), 'states.decide.type', 'parallel'],
  'begins-in-decide': [({ chart }) => void (chart['initial'] = 'stream'), 'initial', 'stream'],
  'only-decide-ends': [
    ({ states }) => void (states['tools'] = { description: 'A.', always: [{ description: 'Out.', target: 'abort' }] }),
    'states.tools.always[0].target',
    'abort',
  ],
  'id-is-written': [
    ({ chart, states }) => {
      chart['id'] = 'a loop';
      for (const name of ['stream', 'tools', 'verify']) states[name] = { description: 'A.', on: { 'a.happened': { target: 'decide' } } };
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
    ({ named }) => void (named.actors['other'] = fromCallback(() => {})),
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
};

function definition(rule = '', breaks: (small: SmallParts) => void = () => {}): WrittenLoop<{ type: string; payload: object }> {
  const small = parts();
  breaks(small);
  const whole = definitionOf(small);
  if (rule === 'made-by-xstate') return { ...whole, machine: undefined as never };
  return rule === 'vocabulary-is-facts' ? { ...whole, events: z.looseObject({ type: z.string(), payload: z.looseObject({}) }), settles: {} } : whole;
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

  test.each(Object.entries(broken))('%s is heard, and nothing else', (rule, [, place, found]) => {
    const error = thrown(rule);
    expect(error).toBeInstanceOf(LoopRuleError);
    const { offences } = error as LoopRuleError;
    expect(offences).toEqual([{ rule, place, found, remedy: rules.find(({ name }) => name === rule)?.remedy }]);
  });

  test.each([
    ['several ways', [{ guard: 'goesOn', target: 'stream' }, { description: 'Else.', target: 'tools' }], '[0]'],
    ['a closed way', {}, ''],
  ])('choices-are-described hears %s without a word', (_what, written, which) => {
    const loop = definition('', ({ decide }) => void (decide.on['a.happened'] = written));
    expect(lint({ id: 'small@1', ...loop }).map(({ place }) => place)).toEqual([`states.decide.on.a.happened${which}.description`]);
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
    ['a config that no machine was made of', { ...whole, machine: { id: 'small', states: {} } }, 'at machine: an object with id, states. Hand in what'],
    ['actor logic that is no machine', { ...whole, machine: fromCallback(() => {}) }, 'at machine: an object with config, start, transition'],
    ['a string', { ...whole, machine: 'small' }, 'at machine: a string. Hand in what'],
    ['no vocabulary', { ...whole, events: undefined }, 'vocabulary-is-facts, at events: no union of facts. Make `events`'],
    ['a list of facts', { ...whole, events: [] }, 'vocabulary-is-facts, at events: no union of facts. Make `events`'],
  ])('is told what to hand in instead of %s', (_what, odd, told) => {
    const define = () => defineLoop(odd as never);
    expect(define).toThrow(LoopRuleError);
    expect(define).toThrow(told);
  });

  test('is told of an id that is not written', () => {
    const small = parts();
    delete small.chart['id'];
    for (const name of ['stream', 'tools', 'verify']) small.states[name] = { description: 'A.', on: { 'a.happened': { target: 'decide' } } };
    expect(() => defineLoop(definitionOf(small))).toThrow("id-is-written, at id: none. Write an `id` such as 'reviewed'");
  });
});

describe('a name counts as used, and is looked for in `setup`,', () => {
  type Edit = (small: SmallParts, way: object) => void;
  const places: Readonly<Record<string, readonly [edit: Edit, rule: string]>> = {
    'in onDone of an invoke': [({ decide }, way) => void (decide.invoke['onDone'] = way), 'results-are-events'],
    'in onError of an invoke': [({ decide }, way) => void (decide.invoke['onError'] = [way]), 'results-are-events'],
    'in onSnapshot of an invoke': [({ decide }, way) => void (decide.invoke['onSnapshot'] = way), 'results-are-events'],
    'in onDone of a state': [({ decide }, way) => void Object.assign(decide, { onDone: way }), 'results-are-events'],
    'after a time': [({ decide }, way) => void Object.assign(decide, { after: { 9: way } }), 'nothing-waits-by-itself'],
  };
  const rulesBroken = (small: SmallParts): string[] =>
    lint({ ...definitionOf(small), id: 'small@1' }).map(({ rule, found }) => `${rule}: ${found}`);

  test.each(Object.entries(places))('%s, where only the place is wrong', (_where, [edit, rule]) => {
    const small = parts();
    Object.assign(small.named.guards, { isOdd: () => true });
    Object.assign(small.named.actions, { noteOdd: () => {} });
    edit(small, { target: 'tools', guard: 'isOdd', actions: 'noteOdd' });
    expect(rulesBroken(small).map((told) => told.split(':')[0])).toEqual([rule]);
  });

  test.each(Object.entries(places))('%s, where it is not provided either', (_where, [edit, rule]) => {
    const small = parts();
    edit(small, { target: 'tools', guard: 'isOdd', actions: 'noteOdd' });
    expect(rulesBroken(small)).toEqual([
      'names-are-provided: noteOdd is not among the actions',
      'names-are-provided: isOdd is not among the guards',
      expect.stringMatching(rule),
    ]);
  });

  test('in a guard of `setup` that combines others', () => {
    const small = parts();
    Object.assign(small.named.guards, { isOdd: () => true, goesOn: not(and(['isOdd', { type: 'isMissing' }])) });
    expect(rulesBroken(small)).toEqual(['names-are-provided: isMissing is not among the guards']);
  });

  test('in a guard that the chart combines itself, which has to be named', () => {
    const small = parts();
    Object.assign(small.named.guards, { isOdd: () => true });
    small.decide.on['a.happened'] = { guard: not('isOdd'), target: 'stream' };
    expect(rulesBroken(small)).toEqual(['nothing-but-names: a function']);
  });

  test('in an action of `setup` that enqueues it', () => {
    const small = parts();
    Object.assign(small.named.guards, { isOdd: () => true });
    Object.assign(small.named.actions, {
      noteOdd: () => {},
      note: enqueueActions(({ enqueue, check }) => {
        if (check('isOdd' as never)) enqueue('noteOdd' as never);
      }),
    });
    expect(rulesBroken(small)).toEqual([]);
  });
});

test('an event that a wildcard takes is taken, and the wildcard itself is no event', () => {
  const small = parts();
  small.events['b.happened'] = {};
  small.decide.on['b.*'] = { target: 'stream' };
  expect(lint({ ...definitionOf(small), id: 'small@1' }).map(({ rule, found }) => `${rule}: ${found}`)).toEqual([
    'what-is-taken-can-happen: b.* is not in the vocabulary',
  ]);
});

test('an actor without a name is told once, at its place', () => {
  const small = parts();
  small.decide.invoke['src'] = fromCallback(() => {});
  expect(lint({ ...definitionOf(small), id: 'small@1' }).map(({ place, found }) => `${place}: ${found}`)).toEqual([
    'states.decide.invoke.src: an actor without a name',
  ]);
});

test.each(catalogue)('$id keeps the rules of every loop', (loop) => expect(lint(loop)).toEqual([]));
