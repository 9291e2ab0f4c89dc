import { describe, expect, test } from 'vitest';
import { fromCallback } from 'xstate';
import { z } from 'zod';
import { catalogue } from '../../machines/index.ts';
import { defineLoop, type LoopDefinition } from '../../src/testing/define-loop.ts';
import { lint, rules } from '../../src/testing/lint/lint.ts';
import { LoopRuleError } from '../../src/testing/lint/loop-rule-error.ts';
import { definitionOf, parts, type SmallParts } from './small-loop.ts';

/** For each rule one way to break it, and where and what is found then. */
const broken: Readonly<Record<string, readonly [breaks: (small: SmallParts) => void, place: string, found: string]>> = {
  'nine-states': [({ states }) => void (states['pause'] = { description: 'A tenth.' }), 'states.pause', 'one too many'],
  'five-endings': [({ states }) => void (states['budget'] = { description: 'No end.' }), 'states.budget.type', 'missing'],
  'one-place-at-a-time': [({ decide }) => void Object.assign(decide, { type: 'parallel' }), 'states.decide.type', 'parallel'],
  'begins-in-decide': [({ chart }) => void (chart['initial'] = 'stream'), 'initial', 'stream'],
  'only-decide-ends': [
    ({ states }) => void (states['tools'] = { description: 'A.', always: [{ description: 'Out.', target: 'abort' }] }),
    'states.tools.always[0].target',
    'abort',
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

function definition(rule = '', breaks: (small: SmallParts) => void = () => {}): LoopDefinition<{ type: string; payload: object }> {
  const small = parts();
  breaks(small);
  const whole = definitionOf(small);
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

test.each(catalogue)('$id keeps the rules of every loop', (loop) => expect(lint(loop)).toEqual([]));
