import { filter, firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { scriptedModel } from '../../../../src/actors/model/model-script.ts';
import { Loops } from '../../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { repository } from '../../../git/repository.ts';
import { tool } from '../../../support/stand-ins.ts';
import { proved, type Files } from './proof-project.ts';
import { tenthOf } from '../../../support/tenth.ts';
import { NODE_TESTS } from '../../../support/node-tests.ts';

const testOf = (name: string, source = './sum.cjs') =>
  `require('node:test')('${name} adds', () => require('node:assert').equal(require('${source}').${name}(1, 2), 3));\n`;
const FILES: Files = {
  '.gitignore': '.loopfold\n',
  'sum.cjs': 'exports.add = (a, b) => a - b;\n',
  'sum.test.cjs': testOf('add'),
};
/** What the base's test calls has another name now. */
const RENAMED: Files = { 'sum.cjs': 'exports.plus = (a, b) => a + b;\n', 'sum.test.cjs': testOf('plus') };
const RIGHT: Files = { 'sum.cjs': 'exports.add = (a, b) => a + b;\n', 'sum.test.cjs': testOf('add') };

/** A Ralph loop is done only where its model promises it. */
const DONE = 'It is done.\n\n<promise>TASK COMPLETE</promise>';

/** A run that works in these steps, and says after each that it is done. */
async function began(
  steps: readonly Files[],
  loop = 'turn',
  checks: readonly string[] = [`L1:${NODE_TESTS}`],
  files: Files = FILES,
) {
  const { root, commit, write } = await repository(files);
  await commit();
  const left = [...steps];
  const one = tool('work', async () => {
    await write(left.shift() ?? {});
    return { output: 'written' };
  });
  const answers = steps.flatMap((_files, turn) => [{ calls: [{ tool: 'work', arguments: { turn } }] }, { text: DONE }]);
  const model = scriptedModel({ answers: [...answers, { text: 'Nothing is left.' }] });
  const loops = new Loops({ log: memoryLog(), model, tools: [one] });
  const live = await loops.start({
    prompt: 'rename add',
    loop,
    directory: root,
    checks: [...checks],
    tools: ['work'],
    checkIn: 'proof',
    detectors: [],
    maxSteps: 12,
    maxIterations: 4,
  });
  /** Once it has ended. */
  const verified = async () => {
    const events = await lastValueFrom(loops.events(live.run).pipe(toArray()));
    return events
      .filter(({ type }) => type === 'verification.completed')
      .map(({ payload }) => payload as unknown as Verified);
  };
  return { loops, live, verified, write };
}

interface Verified {
  readonly passed: boolean;
  readonly levels: readonly { readonly checks: readonly { readonly name: string; readonly output: string }[] }[];
  readonly proof?: { readonly dispute?: { readonly is: string; readonly digest: string } };
}

const disputes = (verified: readonly Verified[]) => verified.map(({ proof }) => proof?.dispute?.is ?? null);
const saidBy = (one: Verified | undefined) =>
  (one?.levels ?? []).flatMap(({ checks }) => checks.map(({ output }) => output)).join('\n');

const asked = async ({ loops, live }: Awaited<ReturnType<typeof began>>) => {
  const ready = loops.events(live.run).pipe(filter(({ payload }) => JSON.stringify(payload).includes('"is":"asked"')));
  await firstValueFrom(ready);
  const questions = (await loops.questions(live.run)) ?? [];
  expect(questions).toHaveLength(1);
  return questions[0];
};

const LOOPS = ['turn', 'iteration', 'ralph'];

test.each(tenthOf(LOOPS))(
  'V6 a %s whose own changed test alone passes is told, then waits for a person, whose approval counts',
  async (loop) => {
    const run = await began([RENAMED, RENAMED], loop);
    const question = await asked(run);
    expect(question).toMatchObject({ callId: 'grounds', kind: 'approval' });
    expect(question?.text).toContain('sum.test.cjs');
    expect(question?.text).toContain('add adds');
    expect(question?.text).toContain("+require('node:test')('plus adds'");
    expect(await run.loops.grant(run.live.run, { call: 'grounds', granted: true })).toMatchObject({ kind: 'received' });
    const done = await run.live.done;
    expect(done).toMatchObject({
      kind: 'ended',
      outcome: { ending: 'success', verified: { grade: 'weak', enough: false } },
    });
    const verified = await run.verified();
    expect(disputes(verified)).toEqual(['told', 'asked', 'approved']);
    expect(saidBy(verified[0])).toContain('With your own changes of these all checks pass.');
    const proof = await proved(run.loops, run.live.run);
    expect(proof).toMatchObject({ proven: true, approved: true, legs: [{ passed: false }, { passed: true }] });
    // With other grounds, it is not about these changes.
    const less = await proved(run.loops, run.live.run, { protect: ['sum.cjs'] });
    expect(less).toMatchObject({ proven: false, approved: false });
  },
);

test('V6 what a person denies does not count: the model is told why, and may put it back', async () => {
  const run = await began([RENAMED, RENAMED, RIGHT]);
  await asked(run);
  await run.loops.grant(run.live.run, { call: 'grounds', granted: false, reason: 'others call add' });
  expect(await run.live.done).toMatchObject({
    kind: 'ended',
    outcome: { ending: 'success', verified: { grade: 'witnessed' } },
  });
  const verified = await run.verified();
  expect(disputes(verified)).toEqual(['told', 'asked', 'denied', null]);
  expect(saidBy(verified[2])).toContain('do not count, and says: others call add. Put them back');
});

test('V6 an approval is of exactly these changes: others are asked about anew', async () => {
  const run = await began([RENAMED, RENAMED]);
  const first = await asked(run);
  const digest = 'f'.repeat(64);
  expect(first?.approval?.digest).not.toBe(digest);
  expect(await run.loops.grant(run.live.run, { call: 'grounds', granted: true, digest })).toMatchObject({
    kind: 'refused',
    because: 'has_changed',
  });
  await run.loops.abort(run.live.run);
  await run.live.done;
});

test.each([
  ['tests that are emptied', { 'sum.test.cjs': '' }],
  ['a test file that is skipped', { 'sum.test.cjs': testOf('add').replace("('add", ".skip('add") }],
])('V6 %s are no dispute: no person is asked', async (_what, files) => {
  const run = await began([files, files, {}, {}]);
  await run.live.done;
  expect(disputes(await run.verified()).filter((one) => one === 'asked')).toEqual([]);
  expect(await run.loops.questions(run.live.run)).toEqual([]);
});

/** Half of what the sources do has no test yet. */
const UNCOVERED: Files = {
  '.gitignore': '.loopfold\n',
  'sum.cjs': 'exports.add = (a, b) => a + b;\nexports.take = (a, b) => {\n  const c = a - b;\n  return c;\n};\n',
  'sum.test.cjs': testOf('add'),
};
const TAKES = testOf('take').replace('(1, 2), 3', '(3, 2), 1');
const COVERED = `${NODE_TESTS} --experimental-test-coverage --test-coverage-lines=100`;

describe('V14 what fails with the grounds of the base alone is for a person, whatever it is that fails', () => {
  test.each<[what: string, check: string, files: Files, work: Files]>([
    ['coverage that new tests lift over its threshold', COVERED, UNCOVERED, { 'take.test.cjs': TAKES }],
    ['a compiler or linter', 'grep -q plus sum.test.cjs', FILES, RENAMED],
    ['a compiler before the tests', `grep -q plus sum.test.cjs && ${NODE_TESTS}`, FILES, RENAMED],
  ])('V14 %s', async (_what, check, files, work) => {
    const run = await began([work, work], 'turn', [`L1:${check}`], files);
    await asked(run);
    expect(await run.loops.grant(run.live.run, { call: 'grounds', granted: true })).toMatchObject({ kind: 'received' });
    expect(await run.live.done).toMatchObject({ outcome: { ending: 'success', verified: { grade: 'weak' } } });
    expect(disputes(await run.verified())).toEqual(['told', 'asked', 'approved']);
  });

  test.each<[what: string, files: Files]>([
    ['fails with its own, too', { 'sum.test.cjs': '// @ts-nocheck\n' }],
    ['has its tests skipped', { 'sum.test.cjs': testOf('plus').replace("('plus", ".skip('plus") }],
    ['ends before its tests', { ...RENAMED, 'sum.cjs': 'process.exit(0);\n' }],
  ])('V14 no person is asked about work that %s', async (_what, files) => {
    const run = await began([files, files], 'turn', [`L1:grep -q plus sum.test.cjs && ${NODE_TESTS}`]);
    await run.live.done;
    expect(disputes(await run.verified()).filter((one) => one !== null)).toEqual([]);
  });
});

const ada = { name: 'ada', email: 'ada@example.org', door: 'token' } as const;

describe('given a person who is known, and who lets changed tests count', () => {
  test.each(tenthOf(LOOPS))('V13 the success of a %s is approved, and that is enough', async (loop) => {
    const run = await began([RENAMED, RENAMED], loop);
    const question = await asked(run);
    await run.loops.grant(run.live.run, { call: 'grounds', granted: true, by: ada });
    expect(await run.live.done).toMatchObject({ outcome: { verified: { grade: 'approved', enough: true } } });
    const dispute = (await run.verified()).at(-1)?.proof?.dispute;
    expect(dispute).toMatchObject({ is: 'approved', approver: ada, digest: question?.approval?.digest });
  });

  test('V13 other changes that came meanwhile are asked about again', async () => {
    const run = await began([RENAMED, RENAMED]);
    const before = await asked(run);
    await run.write({ 'sum.test.cjs': `${testOf('plus')}// and more\n` });
    await run.loops.grant(run.live.run, { call: 'grounds', granted: true, by: ada });
    const isAnother = async () => {
      const [now] = (await run.loops.questions(run.live.run)) ?? [];
      return now !== undefined && now.approval?.digest !== before?.approval?.digest;
    };
    await expect.poll(isAnother, { timeout: 20_000 }).toBe(true);
    await run.loops.abort(run.live.run);
    await run.live.done;
    const verified = await run.verified();
    expect(verified.some(({ passed }) => passed)).toBe(false);
    // What was approved is no longer what is there.
    expect(disputes(verified)).toEqual(['told', 'asked', 'approved', 'asked']);
  });
});
