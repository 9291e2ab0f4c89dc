import nodeCrypto, { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createMachine } from 'xstate';
import { invariants } from '../../docs/examples/own-loop/reviewed.invariants.ts';
import { loop } from '../../docs/examples/own-loop/reviewed.loop.ts';
import { environment } from '../../docs/examples/own-loop/reviewed.environment.ts';
import { within } from '../../src/testing/ambient/ambient.ts';
import { otherAmbients, walkAmbient } from '../../src/testing/ambient/ambients.ts';
import { ProofError } from '../../src/testing/proofs/proof.ts';
import { proofsOf } from '../../src/testing/proofs/proofs-of.ts';
import { testInTurn } from '../support/in-turn.ts';

const PROOF = 'a fold reads its log alone: no clock, no random numbers, no environment';

type Machine = typeof loop.machine;

/** What the proof says of the example when one of its guards asks something else too. */
function thrownWhere(isOdd: () => boolean): unknown {
  const { attemptToReview } = loop.machine.implementations.guards as unknown as Record<
    string,
    (on: unknown) => boolean
  >;
  const guards = { attemptToReview: (on: unknown) => attemptToReview?.(on) !== isOdd() };
  return thrownBy(loop.machine.provide({ guards } as never) as Machine);
}

function thrownBy(machine: Machine): unknown {
  const impure = { ...loop, machine };
  const proof = proofsOf(impure, environment, { invariants, events: 3_000 }).find(({ name }) => name === PROOF);
  try {
    proof?.prove();
    return null;
  } catch (error) {
    return error;
  }
}

const MS_A_DAY = 86_400_000;

describe('a loop whose guard reads', () => {
  testInTurn.each<readonly [what: string, isOdd: () => boolean, told: string]>([
    ['the day', () => Math.floor(Date.now() / MS_A_DAY) % 7 === 3, 'Date.now'],
    ['the year', () => new Date().getFullYear() > 2035, 'new Date()'],
    ['the date as text', () => Date().startsWith('Fri'), 'Date()'],
    ['how long the process runs', () => performance.now() > MS_A_DAY, 'performance.now'],
    ['a chance of one in a hundred', () => Math.random() < 0.01, 'Math.random'],
    ['a chance of all but one in a hundred', () => Math.random() > 0.99, 'Math.random'],
    ['a chance of one in two', () => Math.random() < 0.5, 'Math.random'],
    ['a random id', () => crypto.randomUUID().startsWith('00'), 'crypto.randomUUID'],
    ['a random id, by a named import', () => randomUUID().startsWith('00'), 'crypto.randomUUID'],
    ['random bytes', () => (nodeCrypto.randomBytes(1)[0] ?? 0) < 3, 'crypto.randomBytes'],
    ['a variable that is not set', () => process.env['REVIEW_STRICTLY'] === 'never', 'process.env.REVIEW_STRICTLY'],
    ['a variable that is set', () => process.env['PATH'] === undefined, 'process.env.PATH'],
    ['whether a variable is set', () => 'REVIEW_STRICTLY' in process.env, 'process.env.REVIEW_STRICTLY'],
    ['where it runs', () => process.cwd() === '/', 'process.cwd'],
  ])(
    '%s is told so',
    (_what, isOdd, told) => {
      const error = thrownWhere(isOdd);
      expect(error).toBeInstanceOf(ProofError);
      expect((error as ProofError).message).toContain(told);
    },
    120_000,
  );

  testInTurn.each<readonly [what: string, isOdd: () => boolean]>([
    ['the local hour of a time that is in the log', () => new Date('2026-03-01T12:00:00Z').getHours() > 15],
    ['characters in the order of the locale', () => 'x'.localeCompare('k') < 0],
    ['characters in the case of the locale', () => 'i'.toLocaleUpperCase() !== 'I'],
    ['numbers as the locale writes them', () => (1.5).toLocaleString() !== '1.5'],
  ])(
    '%s leads elsewhere in another country',
    (_what, isOdd) => expect(thrownWhere(isOdd)).toBeInstanceOf(ProofError),
    120_000,
  );

  test('the clock as a run begins is told so', () => {
    const { context, ...config } = loop.machine.config;
    const born = context as unknown as (on: object) => object;
    const chart = { ...config, context: (on: object) => ({ ...born(on), seenAt: Date.now() }) };
    const error = thrownBy(createMachine(chart as never, loop.machine.implementations as never) as unknown as Machine);
    expect(error).toBeInstanceOf(ProofError);
    expect((error as ProofError).message).toContain(
      'version 1: what is remembered after run.started, whose fold reads Date.now,',
    );
  }, 120_000);

  testInTurn('nothing but its log passes', () => expect(thrownWhere(() => false)).toBeNull());

  testInTurn('chance is the same run for the same seed, however often it is proven', () => {
    const messages = Array.from({ length: 2 }, () => String(thrownWhere(() => Math.random() < 0.2)));
    expect(messages[0]).toBe(messages[1]);
  });
});

describe('elsewhere', () => {
  const state = () => [
    Date,
    Date.now,
    performance.now,
    Math.random,
    crypto.randomUUID,
    nodeCrypto.randomUUID,
    randomUUID,
    process.env,
    process.env['TZ'],
    process.cwd,
    process.hrtime,
    ''.localeCompare,
    new Date(0).getHours(),
  ];

  test.each([walkAmbient, ...otherAmbients].map((ambient, index) => [index, ambient] as const))(
    'number %s is left as it was entered, also by a throw',
    (_index, ambient) => {
      const before = state();
      const thrown = new Error('thrown inside');
      expect(
        within(
          ambient(),
          () => {},
          () => 'an answer',
        ),
      ).toBe('an answer');
      expect(() =>
        within(
          ambient(),
          () => {},
          () => {
            throw thrown;
          },
        ),
      ).toThrow(thrown);
      expect(state()).toEqual(before);
      for (const [index, value] of state().entries()) expect(value).toBe(before[index]);
    },
  );

  test('leaves times that are given alone', () => {
    const read: string[] = [];
    const [ambient = walkAmbient] = otherAmbients;
    within(
      ambient(),
      (what) => read.push(what),
      () => {
        const given = new Date('2026-03-01T12:00:00Z');
        expect(given.toISOString()).toBe('2026-03-01T12:00:00.000Z');
        expect(given).toBeInstanceOf(Date);
        expect(Date.parse('2026-03-01T12:00:00Z')).toBe(given.getTime());
        expect(read).toEqual([]);
        expect(new Date().getUTCFullYear()).toBe(1999);
      },
    );
    expect(read).toEqual(['new Date()']);
  });
});
