import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { RunOptions } from '../../../../src/config/options.ts';
import { takenBaseline } from '../../../../src/verification/baseline-of-check.ts';
import { workingSubject } from '../../../../src/verification/subject-in-folder.ts';
import { readSettings } from '../../../../src/runtime/read-settings.ts';
import { type Files, HAS_WALLS, proved, WITHOUT_WALLS, type Work, worked } from './proof-project.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { NODE_TESTS } from '../../../support/node-tests.ts';

const testOf = (name: string) =>
  `require('node:test')('${name} adds', () => require('node:assert').equal(require('./sum.cjs').${name}(1, 2), 3));\n`;
const FILES: Files = { 'sum.cjs': 'exports.add = (a, b) => a - b;\n', 'sum.test.cjs': testOf('add') };
const RIGHT: Files = { 'sum.cjs': 'exports.add = (a, b) => a + b;\n' };
const RENAMED: Files = { 'sum.cjs': 'exports.plus = (a, b) => a + b;\n', 'sum.test.cjs': testOf('plus') };
const CHECKS = [`L1:${NODE_TESTS}`];

interface Event {
  readonly type: string;
  readonly payload: {
    readonly passed?: boolean;
    readonly fault?: { readonly code: string; readonly message: string };
    readonly outcome?: { readonly ending: string; readonly verified?: { readonly grade?: string } | null };
    readonly proof?: { readonly [member: string]: unknown };
  };
}

/** A run with this work, and what was recorded of it. */
async function ran(work: Work, more: Partial<RunOptions>, files: Files = FILES) {
  const run = await worked({ files, checks: CHECKS }, work, { checkIn: 'proof', maxSteps: 6, detectors: [], ...more });
  const events = (await lastValueFrom(run.loops.events(run.run).pipe(toArray()))) as unknown as readonly Event[];
  const of = (type: string) => events.filter((event) => event.type === type).map(({ payload }) => payload);
  const verified = of('verification.completed');
  const grade = of('decision.made').at(-1)?.outcome?.verified?.grade ?? null;
  return { ...run, grade, events: JSON.stringify(events), fault: of('baseline.taken').at(0)?.fault, verified };
}

test('V6 changes of grounds that a run was started to let count do, and make its success weak', async () => {
  const run = await ran({ write: RENAMED }, { allowGrounds: ['*.test.cjs'] });
  expect(run.ending).toBe('success');
  expect(run.events).toContain('"grade":"weak"');
  expect(run.verified).toMatchObject([
    { passed: true, proof: { allowed: ['sum.test.cjs'], groundsChanged: 0, testsInSources: [] } },
  ]);
  expect(await proved(run.loops, run.run)).toMatchObject({ proven: true, allowed: ['sum.test.cjs'] });
});

testInTurn('V6 work that passes without them does not rest on them', async () => {
  const more = { 'sum.test.cjs': `${testOf('add')}${testOf('add').replace('add adds', 'adds more')}` };
  const run = await ran({ write: { ...RIGHT, ...more } }, { allowGrounds: ['*.test.cjs'] });
  expect(run.verified).toMatchObject([{ passed: true, proof: { groundsChanged: 1 } }]);
  expect(run.verified[0]?.proof?.['allowed']).toBe(undefined);
  expect(run.events).not.toContain('"grade":"weak"');
});

testInTurn('V6 other changes of grounds count no more than before', async () => {
  const other = { 'other.test.cjs': testOf('add').replace('add adds', 'other adds') };
  const weakened = { ...RENAMED, 'other.test.cjs': '' };
  const run = await ran({ write: weakened }, { allowGrounds: ['sum.test.cjs'], maxSteps: 2 }, { ...FILES, ...other });
  expect(run.verified).toMatchObject([{ passed: false, proof: { allowed: ['sum.test.cjs'] } }]);
  expect(run.events).toContain('other adds');
});

testInTurn('V6 a run that does not wait for a person goes on to its cap, and the model is told', async () => {
  const run = await ran({ write: RENAMED }, { wait: false, maxSteps: 3 });
  expect(run.ending).toBe('cap_hit');
  expect(run.verified.map(({ proof }) => proof?.['dispute'])).toEqual(
    run.verified.map(() => expect.objectContaining({ is: 'told' })),
  );
  expect(run.verified.length).toBeGreaterThan(1);
  expect(run.events).toContain('no person is asked about them');
  expect(run.events).not.toContain('a person will decide');
});

testInTurn('V1 a base that passes all checks ends a run that requires a red one, before a model is asked', async () => {
  const run = await ran({ write: {} }, { requireRed: true }, { ...FILES, ...RIGHT });
  expect(run.fault).toMatchObject({ code: 'environment', message: expect.stringContaining('--require-red') });
  expect(run.ending).toBe('abort');
  expect(run.events).not.toContain('model.completed');
  expect((await ran({ write: RIGHT }, { requireRed: true })).ending).toBe('success');
});

testInTurn('V5 without the leg of the work as it is, changed grounds leave it no more than verified', async () => {
  const write = { ...RIGHT, 'more.test.cjs': "require('node:test')('fails', () => { throw new Error('no'); });\n" };
  const both = await ran({ write }, { maxSteps: 2 });
  expect(both.verified).toMatchObject([{ passed: false }]);
  const one = await ran({ write }, { legs: 'base' });
  expect(one.verified).toMatchObject([{ passed: true, proof: { oneLeg: true, legs: [{ leg: 'base' }] } }]);
  expect(one.events).toContain('"grade":"verified"');
  expect(await one.proof()).toMatchObject({ proven: true, legs: [{ leg: 'base' }] });
  const same = await ran({ write: RIGHT }, { legs: 'base' });
  expect(same.verified[0]?.proof?.['oneLeg']).toBe(undefined);
});

testInTurn('V4 without tests that must fail a success is no more than verified', async () => {
  const run = await ran({ write: RIGHT }, { control: 'off' });
  expect(run.verified).toMatchObject([{ passed: true }]);
  expect(run.verified[0]?.proof?.['control']).toBe(undefined);
  expect(run.events).toContain('"grade":"verified"');
  expect((await run.proof()).control).toBe(undefined);
});

describe('V3 walls', () => {
  if (HAS_WALLS)
    testInTurn('V3 that are turned off do not stand, also in a later proof', async () => {
      const run = await ran({ write: RIGHT }, { walls: 'off' });
      expect(run.verified).toMatchObject([
        { passed: true, proof: { walls: 'none', wallsMissing: 'they are turned off' } },
      ]);
      expect(await run.proof()).toMatchObject({ walls: { kind: 'none' } });
    });

  testInTurn('V3 that are required, and cannot stand, end a run before a check or a model', async () => {
    const { loops, run } = await ran({ write: RIGHT }, HAS_WALLS ? { walls: 'required' } : {});
    const settings = await readSettings(loops.log, run);
    if (!settings?.proof) throw new TypeError('no proof');
    const proof = { ...settings.proof, walls: 'required' as const };
    const subject = await workingSubject(settings, proof, proof.base);
    const { signal } = new AbortController();
    const how = { run, checks: settings.checks, environment: [], signal, delta: () => {}, ...WITHOUT_WALLS };
    const taken = await takenBaseline(subject, how);
    expect(taken).toMatchObject({ levels: [], fault: { code: 'environment' } });
    expect(taken?.fault?.message).toContain('namespaces are forbidden here');
    expect(taken?.fault?.message).toContain('--walls required');
  });

  test.each([{ walls: 'required' }, { requireRed: true }] as const)(
    'V3 %o without a proof is an error',
    async (options) => {
      await expect(ran({ write: {} }, { ...options, checkIn: 'workspace' })).rejects.toThrow(/--verify/);
    },
  );
});

testInTurn('V5 a check that a person says only reads counts as one test', async () => {
  const files = {
    'lint.cjs': "process.exit(require('fs').readFileSync('a.txt', 'utf8').includes('x') ? 1 : 0);\n",
    'a.txt': 'x',
  };
  const checks = [{ command: 'node lint.cjs', reads: true }];
  const run = await ran({ write: { 'a.txt': 'y' } }, { checks }, files);
  expect(run.verified).toMatchObject([{ passed: true, proof: { turnedChecks: ['node lint.cjs'], unreported: [] } }]);
  const weakened = await ran({ write: { 'lint.cjs': '' } }, { checks, maxSteps: 2 }, files);
  expect(weakened.verified).toMatchObject([{ passed: false }]);
});
