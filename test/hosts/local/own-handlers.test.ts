import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EffectHandler, type LoopDefinition, Loops, memoryLog, scriptedModel } from 'loopfold';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { loop as reviewed } from '../../../docs/examples/own-loop/reviewed.loop.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { ended, history } from '../../support/run-history.ts';

const GIVEN = { type: 'review.given', payload: { approved: true, remark: 'Good.' } };

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'own-handlers-'));
  execFileSync('git', ['init', '--quiet', directory]);
});
afterEach(() => rm(directory, { recursive: true, maxRetries: 3 }));

/** A run of the example, reviewed by this handler. Callers without types hand in anything. */
async function started(handler: unknown, more: object = {}) {
  const log = memoryLog();
  const loop: LoopDefinition = { ...reviewed, handlers: { askReviewer: handler as EffectHandler } };
  const loops = new Loops({ log, loops: [loop], model: scriptedModel({ answers: [{ text: 'done' }] }) });
  const live = await loops.start({ loop: 'reviewed', prompt: 'x', directory, maxIterations: 1, ...more });
  const { outcome } = await ended(live);
  return { outcome, facts: await history(log, live.run) };
}

describe('a handler of a loop of its own', () => {
  testInTurn.each<[string, unknown, RegExp]>([
    [
      'answers with an event that its loop does not have',
      async () => ({ type: 'review.gven', payload: {} }),
      /answered wrongly: review\.gven is no event of reviewed@1: its answers are review\.given, review\.failed, review\.interrupted$/,
    ],
    [
      'answers with a payload that does not fit',
      async () => ({ type: 'review.given', payload: { approved: 'yes', remark: '' } }),
      /answered wrongly: review\.given is no event of reviewed@1: .*expected boolean.*payload\.approved/s,
    ],
    ['answers with nothing', async () => undefined, /answered wrongly: undefined is no event$/],
    ['answers with a number', () => 5, /answered wrongly: 5 is no event$/],
    ['ends without an answer', async function* () {}, /answered wrongly: it ended without a result$/],
    [
      'answers with an event that is not taken there',
      async () => ({ type: 'effect.interrupted', payload: { actor: 'agent', reason: '' } }),
      /answered wrongly: it ended without a result: effect\.interrupted is not taken here$/,
    ],
    [
      'answers twice',
      async function* () {
        yield GIVEN;
        yield GIVEN;
      },
      /answered wrongly: review\.given follows review\.given, which was its result already$/,
    ],
    [
      'throws',
      async () => {
        throw new TypeError('not today');
      },
      /threw at \S+own-handlers\.test\.ts:\d+: TypeError: not today$/,
    ],
    [
      'throws before it awaits',
      () => {
        throw new Error('not today');
      },
      /threw at \S+own-handlers\.test\.ts:\d+: not today$/,
    ],
    ['throws what is no error', () => Promise.reject('not today'), /threw: not today$/],
    [
      'throws after its answer',
      async function* () {
        yield GIVEN;
        throw new Error('not today');
      },
      /threw at \S+own-handlers\.test\.ts:\d+: not today$/,
    ],
  ])('that %s is named with its loop, and its run ends by an error', async (_what, handler, told) => {
    const { outcome, facts } = await started(handler);
    expect(outcome).toMatchObject({ ending: 'abort', cause: 'error' });
    const reasons = facts.flatMap((fact) => (fact.type === 'abort.requested' ? [fact.payload.reason] : []));
    expect(reasons).toEqual([expect.stringMatching(/^reviewed@1: its handler of askReviewer /)]);
    expect(reasons[0]).toMatch(told);
    const types = facts.map(({ type }) => String(type));
    expect(types.filter((type) => type.startsWith('review.'))).toEqual(['review.interrupted']);
  });

  testInTurn('that continues after its answer has it recorded when it is told to stop', async () => {
    const { outcome, facts } = await started(
      async function* () {
        yield GIVEN;
        await new Promise(() => {});
      },
      { maxTime: '1s' },
    );
    expect(facts.map(({ type }) => String(type))).toContain('review.given');
    expect(outcome.ending).not.toBe('abort');
  });
});
