import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { given } from 'loopfold/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run, type Workshop } from './reviewed.host.ts';
import { loop } from './reviewed.loop.ts';
import { started } from './reviewed.world.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'reviewed-'))));
afterAll(() => rm(folder, { recursive: true }));

const drafts = ['export const sum = (a, b) => ;', 'export const x = (y, z) => y + z;', 'export const sum = (a, b) => a + b;'];

/** An agent that gets better, a check that is a real process, and a reviewer who cares for names. */
function workshop(work: readonly string[]): Workshop {
  const file = join(folder, 'sum.mjs');
  return {
    attempt: (iteration) => writeFile(file, work[iteration] ?? ''),
    capture: async () => createHash('sha256').update(await readFile(file)).digest('hex'),
    check: () =>
      new Promise((resolve) => {
        execFile(process.execPath, ['--check', file], (error, _stdout, output) => resolve({ passed: error === null, output }));
      }),
    review: async () => {
      const approved = (await readFile(file, 'utf8')).includes('sum');
      return { approved, remark: approved ? 'Good.' : 'Call it by its name.' };
    },
  };
}

test('runs as a plain XState actor: checked, reviewed, and done again until it is approved', async () => {
  const { outcome, events } = await run(started(), workshop(drafts));
  expect(outcome).toMatchObject({ ending: 'success', verified: { workspace: expect.stringMatching(/^[0-9a-f]{64}$/) } });
  const said = events.flatMap(({ type, payload }) => {
    if (type === 'verification.completed') return payload.passed ? 'passed' : 'failed';
    return type === 'review.given' ? payload.remark : [];
  });
  expect(said).toEqual(['failed', 'passed', 'Call it by its name.', 'passed', 'Good.']);
});

test('leaves events behind that fold to the same end', async () => {
  const { outcome, events } = await run(started(), workshop(['', '', '']));
  expect(outcome).toEqual({ ending: 'cap_hit', limit: { name: 'iterations', used: 3, limit: 3 } });
  given(loop, ...events).is({ state: 'cap_hit', pending: {}, remembers: { iterations: 3, outcome } });
});

test('is aborted by an actor that breaks, when its grace is over', async () => {
  const broken = { ...workshop(drafts), capture: () => Promise.reject(new Error('the disk is full')) };
  const { outcome, events } = await run(started({ graceMs: 5 }), broken);
  expect(outcome).toEqual({ ending: 'abort', cause: 'error', fault: null });
  expect(events.map(({ type }) => type)).toContain('timer.fired');
});
