import { expect, test } from 'vitest';
import { fieldsOf, filledForm, formChoices, formText } from '../../src/prompt/answer-form.ts';

const form = (properties: object, required: string[] = Object.keys(properties)) =>
  ({ type: 'object', properties, required }) as never;
const filled = (schema: never, text: string) => {
  const given = filledForm({ form: schema, digest: 'd' }, text);
  return typeof given === 'string' ? given : (given.content ?? given.action);
};

const TICKET = form(
  {
    title: { type: 'string', minLength: 3 },
    points: { type: 'integer', minimum: 1, maximum: 8 },
    urgent: { type: 'boolean' },
    kind: {
      type: 'string',
      oneOf: [
        { const: 'b', title: 'Bug' },
        { const: 'f', title: 'Feature' },
      ],
    },
    labels: { type: 'array', items: { enum: ['ui', 'api', 'docs'] }, maxItems: 2 },
  },
  ['title', 'kind'],
);

test('X10 a form with several fields is filled in by lines, or by JSON', () => {
  const lines = 'title: Slow page\npoints = 3\nurgent: no\nkind: Bug\nlabels: ui, docs';
  const whole = { title: 'Slow page', points: 3, urgent: false, kind: 'b', labels: ['ui', 'docs'] };
  expect(filled(TICKET, lines)).toEqual(whole);
  expect(filled(TICKET, JSON.stringify(whole))).toEqual(whole);
  expect(filled(TICKET, 'title: Slow page\nkind: f')).toEqual({ title: 'Slow page', kind: 'f' });
});

test.each([
  ['title: ab\nkind: Bug', 'expected title: a text, at least 3 characters, found "ab"'],
  ['title: abc\nkind: Chore', 'expected kind: one of Bug, Feature, found "Chore"'],
  [
    'title: abc\nkind: Bug\npoints: 9',
    /^expected points: a whole number, at least 1, at most 8, or nothing, found "9"/,
  ],
  ['title: abc\nkind: Bug\npoints: 1.5', /found "1.5"/],
  ['title: abc\nkind: Bug\nurgent: perhaps', /expected urgent: yes or no/],
  ['title: abc\nkind: Bug\nlabels: ui, api, docs', /expected labels: some of/],
  ['title: abc', 'expected kind: one of Bug, Feature, found ""'],
  ['title: abc\nkind: Bug\nsize: 3', /^there is no field size: expected title, points/],
])('X10 an answer that does not fit its form is refused with what is expected: %j', (text, said) =>
  expect(filled(TICKET, text)).toEqual(typeof said === 'string' ? said : expect.stringMatching(said)),
);

test('X10 the only field of a form is the whole answer', () => {
  expect(filled(form({ branch: { type: 'string' } }), 'feature: a = b')).toEqual({ branch: 'feature: a = b' });
  expect(filled(form({ count: { type: 'number' } }), ' 2.5 ')).toEqual({ count: 2.5 });
  expect(filled(form({}), 'accept')).toEqual({});
  expect(filled(form({ branch: { type: 'string' } }), 'decline')).toBe('decline');
});

test('X10 a person chooses where a form has one field with values to choose from', () => {
  const choices = (properties: object) => formChoices(form(properties));
  expect(choices({ sure: { type: 'boolean' } })).toEqual(['yes', 'no', 'decline']);
  expect(choices({ how: { type: 'string', enum: ['a', 'b'], enumNames: ['First', 'Second'] } })).toEqual([
    'First',
    'Second',
    'decline',
  ]);
  expect(choices({})).toEqual(['accept', 'decline']);
  expect(choices({ branch: { type: 'string' } })).toEqual([]);
  expect(formChoices(TICKET)).toEqual([]);
});

test('X10 a form that no person could fill in is refused', () => {
  expect(fieldsOf(form({ deep: { type: 'object' } }))).toBeNull();
  expect(fieldsOf(form({ list: { type: 'array', items: { type: 'string' } } }))).toBeNull();
  expect(fieldsOf({ type: 'string' })).toBeNull();
  expect(
    fieldsOf(form(Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`f${at}`, { type: 'string' }])))),
  ).toBeNull();
});

test('X10 the question of a server names the server, and says how to answer', () => {
  const text = formText({ server: 'tickets', message: 'Close it?', form: TICKET, digest: 'd' });
  expect(text).toContain('The MCP server tickets asks: Close it?');
  expect(text).toContain('Answer with a line for each, as NAME: VALUE');
  expect(text).toContain('urgent: yes or no, or nothing');
});
