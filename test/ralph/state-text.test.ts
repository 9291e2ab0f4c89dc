import { describe, expect, test } from 'vitest';
import { formatRalphState, parseRalphState, type RalphState } from '../../src/ralph/index.ts';
import { fc } from '../support/fast-check.ts';
import { STATE } from './state.ts';

const FILE = formatRalphState(STATE);

const roundTrip = (state: RalphState) => parseRalphState(formatRalphState(state));

const line = fc.oneof(
  fc.constantFrom(
    '---',
    '--- ',
    '---\r',
    '',
    ' ',
    '# Title',
    'active: false',
    '```',
    '\r',
    '\u2028',
    '\u0085',
    '\uFEFF',
  ),
  fc.string({ maxLength: 30, unit: 'grapheme' }),
  fc.string({ maxLength: 30, unit: 'binary' }).filter((text) => text.isWellFormed()),
);
const prompt = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => lines.join('\n'));
const text = (maxLength: number) =>
  fc.string({ maxLength, unit: 'binary' }).filter((value) => value.isWellFormed() && value.length <= maxLength);
const promise = fc
  .string({ minLength: 1, maxLength: 50, unit: 'grapheme' })
  .filter((said) => /^[^<>`\p{Cc}\u2028\u2029]*$/u.test(said) && said.trim() !== '');

const states: fc.Arbitrary<RalphState> = fc.record(
  {
    active: fc.boolean(),
    iteration: fc.integer({ min: 1 }),
    maxIterations: fc.integer({ min: 0 }),
    completionPromise: fc.option(promise),
    startedAt: fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString()),
    sessionId: fc.option(text(100)),
    originalPrompt: prompt.filter((said) => /\S/.test(said)),
    deactivatedReason: text(200),
  },
  {
    requiredKeys: [
      'active',
      'iteration',
      'maxIterations',
      'completionPromise',
      'startedAt',
      'sessionId',
      'originalPrompt',
    ],
  },
);

describe('R4 the state file', () => {
  test('R4 has its keys in YAML, and the original prompt as its body', () => {
    expect(FILE).toBe(`---
active: true
iteration: 1
max_iterations: 10
completion_promise: "TASK COMPLETE"
started_at: "2025-12-31T00:00:00.000Z"
session_id: "session-123"
---

Add the methods of the calculator.
`);
  });

  test('R4 is read as the state it was written from: any prompt, promise and reason', () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(roundTrip(state)).toEqual({ kind: 'state', state });
      }),
    );
  });

  test('R4 is the same for an editor that writes CRLF or a byte order mark, or cuts the last line feed', () => {
    fc.assert(
      fc.property(states, (state) => {
        const file = formatRalphState(state);
        if (!state.originalPrompt.includes('\r')) {
          const crlf = file.replaceAll('\n', '\r\n');
          expect(parseRalphState(`\uFEFF${crlf}`)).toEqual({ kind: 'state', state });
        }
        if (!state.originalPrompt.endsWith('\n')) {
          expect(parseRalphState(file.slice(0, -1))).toEqual({ kind: 'state', state });
        }
      }),
    );
  });

  test('R4 has no character in its keys that another program takes for the end of a line', () => {
    const deactivatedReason = 'a\nb\u0085c\u2028d\u2029e\u007Ff\r';
    const file = formatRalphState({ ...STATE, deactivatedReason });
    expect(file).toContain(String.raw`deactivated_reason: "a\nb\u0085c\u2028d\u2029e\u007ff\r"`);
    expect(roundTrip({ ...STATE, deactivatedReason })).toMatchObject({ state: { deactivatedReason } });
  });

  test('R4 may be written by hand: without quotes, in any order, with comments', () => {
    const byHand = `---
max_iterations: 0 # no maximum
iteration: 4
active: false
completion_promise: ~
started_at: 2025-12-31T00:00:00Z
---
Do it.`;
    expect(parseRalphState(byHand)).toEqual({
      kind: 'state',
      state: {
        active: false,
        iteration: 4,
        maxIterations: 0,
        completionPromise: null,
        startedAt: '2025-12-31T00:00:00Z',
        sessionId: null,
        originalPrompt: 'Do it.',
      },
    });
  });

  test('R4 linear_agent_session_id is read too, and session_id wins', () => {
    const renamed = FILE.replace('session_id', 'linear_agent_session_id');
    expect(parseRalphState(renamed)).toEqual({ kind: 'state', state: STATE });
    for (const both of [
      FILE.replace('session_id', 'linear_agent_session_id: "other"\nsession_id'),
      FILE.replace('session_id: "session-123"', '$&\nlinear_agent_session_id: "other"'),
    ]) {
      expect(parseRalphState(both)).toEqual({ kind: 'state', state: STATE });
    }
  });
});

describe('R4 a damaged state file is refused, with the line and what is expected there', () => {
  const edited = (from: string, to: string) => parseRalphState(FILE.replace(from, to));

  test.each([
    ['active: true', 'active: yes', 2, 'active: expected true or false, found "yes"'],
    ['iteration: 1', 'iteration: 0', 3, 'iteration: expected a whole number, 1 or more, found 0'],
    ['iteration: 1', 'iteration: two', 3, 'iteration: expected a whole number, 1 or more, found "two"'],
    ['iteration: 1', 'iteration:', 3, 'iteration: expected a whole number, 1 or more, found null'],
    ['iteration: 1', 'iteration: 1.5', 3, 'iteration: expected a whole number, 1 or more, found 1.5'],
    ['iterations: 10', 'iterations: -1', 4, /^max_iterations: expected a whole number, 0 or more .*, found -1$/],
    ['iterations: 10', 'iterations: 1e999', 4, /^max_iterations: expected a whole number, 0 or more/],
    ['iterations: 10', 'iterations: [1]', 4, /^max_iterations: .*, found a structure$/],
    ['iterations: 10', 'iteration: 10', 4, /found "max_iteration"\. Did you mean max_iterations\?$/],
    ['"TASK COMPLETE"', '42', 5, 'completion_promise: expected a text such as "TASK COMPLETE", or null, found 42'],
    ['"TASK COMPLETE"', '"<b>"', 5, /^completion_promise: expected a phrase on one line.*, found "<b>"$/],
    ['"TASK COMPLETE"', '""', 5, /^completion_promise: expected a phrase on one line/],
    [
      '"2025-12-31T00:00:00.000Z"',
      'yesterday',
      6,
      /^started_at: expected a time such as "2026-.*", found "yesterday"$/,
    ],
    ['session_id: ', 'session_id: 7 #', 7, /^session_id: expected the id of a run in quotes/],
    ['active: true', 'active: *a', 2, /^active: expected true or false|YAML/],
    ['active: true', '<<: {active: true}', 2, /^expected one of active/],
    ['active: true', 'active: !!js/function "x"', 2, /^expected YAML such as "active: true": Unresolved tag/],
    ['iteration: 1', 'iteration: 1\niteration: 2', 4, /^expected YAML .*: Map keys must be unique/],
    ['iteration: 1', 'iteration: "1', 3, /^expected YAML/],
    ['iteration: 1\n', '', 7, 'iteration is missing: expected a whole number, 1 or more'],
    ['---\n\nAdd', 'Add', 8, 'expected a line --- between the keys and the task'],
    ['Add the methods of the calculator.', ' ', 9, /^below the second ---: expected the task/],
    ['---\nactive', 'active', 1, 'expected a line --- before the first key'],
  ])('R4 %j as %j', (from, to, line, reason) => {
    const read = edited(from, to);
    expect(read).toMatchObject({ kind: 'damaged', line });
    expect(read).toHaveProperty('reason', typeof reason === 'string' ? reason : expect.stringMatching(reason));
  });

  test.each([
    ['', 1],
    ['Add the methods.', 1],
    ['---\n---\n\nx', 2],
    ['---\n- a\n---\n\nx', 2],
    ['---\nactive: true\n', 2],
  ])('R4 %j', (file, line) => expect(parseRalphState(file)).toMatchObject({ kind: 'damaged', line }));

  test('R4 megabytes without an end of the front matter are refused at once', () => {
    const file = `---\n${'active: true\n'.repeat(200_000)}---\n\nx`;
    expect(parseRalphState(file)).toMatchObject({ kind: 'damaged', reason: expect.stringContaining('a line ---') });
  });

  test('R4 every text is a state or names a line of itself', () => {
    const broken = fc.tuple(states, fc.nat(), fc.nat({ max: 20 }), fc.string({ maxLength: 5 }));
    fc.assert(
      fc.property(broken, ([state, at, length, put]) => {
        const file = formatRalphState(state);
        const start = at % file.length;
        const text = file.slice(0, start) + put + file.slice(start + length);
        const read = parseRalphState(text);
        if (read.kind === 'state') expect(roundTrip(read.state)).toEqual(read);
        else expect(read.line).toBeLessThanOrEqual(text.split('\n').length + 1);
      }),
    );
  });
});
