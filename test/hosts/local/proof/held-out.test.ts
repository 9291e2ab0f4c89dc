import { mkdir, mkdtemp, readdir, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { first, firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RunOptions } from '../../../../src/config/options.ts';
import { scriptedModel } from '../../../../src/actors/model/model-script.ts';
import { Loops } from '../../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { repository } from '../../../git/repository.ts';
import { type Files, HAS_WALLS, proved, type Work, worked } from './proof-project.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { NODE_TESTS } from '../../../support/node-tests.ts';

const SUM: Files = {
  'sum.cjs': 'exports.add = (a, b) => a - b;\n',
  'sum.test.cjs':
    "require('node:test')('adds', () => require('node:assert').equal(require('./sum.cjs').add(1, 2), 3));\n",
};
/** Right in general, and only for what the tests here ask. */
const RIGHT = { 'sum.cjs': 'exports.add = (a, b) => a + b;\n' };
const HARD_CODED = { 'sum.cjs': 'exports.add = () => 3;\n' };
const SECRET = 'adds what is not told';
const EXAM: Files = {
  'exam/sum.test.cjs': `require('node:test')('${SECRET}', () => require('node:assert').equal(require('../sum.cjs').add(20, 22), 42));\n`,
};
const CHECKS = [`L1:${NODE_TESTS} exam/*.test.cjs`, 'true'];

async function folderWith(files: Files): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'held-out-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

interface Exam extends Partial<RunOptions> {
  readonly files?: Files;
  readonly exam?: Files;
}

/** A run with held-out checks, and all that its log says. */
async function examined(work: Work, { files = SUM, exam = EXAM, ...more }: Exam = {}) {
  const heldOut = await folderWith(exam);
  const checks = [`L1:${NODE_TESTS} sum.test.cjs`];
  const options = { checkIn: 'proof', heldOut, heldOutChecks: CHECKS, ...more } as const;
  const run = await worked({ files, checks }, work, options);
  const events = await lastValueFrom(run.loops.events(run.run).pipe(toArray()));
  const verified = events.filter(({ type }) => type === 'verification.completed').map(({ payload }) => payload);
  return { ...run, heldOut, events, text: JSON.stringify(events), verified };
}

test('V7 held-out checks that pass are a fact beside the grade, and a fix that is right is witnessed', async () => {
  const { ending, verified, events } = await examined({ write: RIGHT });
  expect(ending).toBe('success');
  expect(verified).toMatchObject([{ passed: true, proof: { heldOut: { checks: 2, failed: 0, replaced: 0 } } }]);
  expect(events.find(({ type }) => String(type) === 'baseline.taken')?.payload).toMatchObject({
    heldOut: { checks: 2, failed: 1 },
  });
});

testInTurn(
  'V7 answers made for the known tests fail: the agent is told how many checks do, the log no more',
  async () => {
    const { ending, text, verified, loops, run } = await examined({ write: HARD_CODED });
    expect(ending).not.toBe('success');
    expect(verified.at(0)).toMatchObject({ passed: false, proof: { heldOut: { checks: 2, failed: 1 } } });
    expect(text).toContain('held-out checks failed: 1 of 2');
    expect(text).not.toContain(SECRET);
    expect(await proved(loops, run)).toMatchObject({
      proven: false,
      doubts: ['held-out'],
      heldOut: { kind: 'ran', failing: [{ output: expect.stringContaining(SECRET) }] },
    });
  },
);

testInTurn.each([
  ['names', true, false],
  ['all', true, true],
] as const)(
  'V7 where a run tells %s of held-out checks, the agent is told that',
  async (heldOutTells, named, printed) => {
    const { text } = await examined({ write: HARD_CODED }, { heldOutTells, maxSteps: 2 });
    expect(text).toContain('held-out checks failed: 1 of 2');
    expect(text.includes(SECRET)).toBe(named);
    expect(text.includes('3 == 42')).toBe(printed);
  },
);

testInTurn(
  'V7 held-out files take the place of files, links and folders of the work, and how many is said',
  async () => {
    const elsewhere = await folderWith({});
    const shell = `ln -s ${elsewhere} exam; mkdir -p more.txt && echo x > more.txt/inner && echo y > notes`;
    const exam = { ...EXAM, 'more.txt': 'more', 'notes/a.txt': 'a' };
    const heldOutChecks = [`${NODE_TESTS} exam/*.test.cjs && grep -q more more.txt && grep -q a notes/a.txt`];
    const { ending, verified } = await examined({ write: RIGHT, shell }, { exam, heldOutChecks });
    expect(verified).toMatchObject([{ passed: true, proof: { heldOut: { failed: 0, replaced: 3 } } }]);
    expect(ending).toBe('success');
    expect(await readdir(elsewhere)).toEqual([]);
  },
);

testInTurn('V7 code under test that ends the process of held-out tests does not pass them', async () => {
  const source = `if (process.argv.join().includes('exam')) process.exit(0);\n${HARD_CODED['sum.cjs']}`;
  const { ending, verified } = await examined({ write: { 'sum.cjs': source } });
  expect(ending).not.toBe('success');
  expect(verified.at(0)).toMatchObject({ proof: { heldOut: { failed: 1 } } });
});

testInTurn('V7 held-out files that change end the run with an error, and nothing passes', async () => {
  const heldOut = await folderWith(EXAM);
  const shell = `echo >> ${join(heldOut, 'exam/sum.test.cjs')}`;
  const { ending, text, loops, run } = await examined({ write: RIGHT, shell }, { heldOut });
  expect(ending).toBe('abort');
  expect(text).toContain(`the held-out files in ${heldOut} are not what they were when the run began`);
  expect(text).not.toContain('exam/sum.test.cjs are');
  expect(await proved(loops, run)).toMatchObject({ doubts: expect.arrayContaining(['held-out-changed']) });
});

testInTurn('V7 a held-out check that cannot run ends the run before a model is asked', async () => {
  const { ending, text } = await examined({ write: RIGHT }, { heldOutChecks: ['nothing-of-that-name'] });
  expect(ending).toBe('abort');
  expect(text).toContain('what a check runs is not there');
  expect(text).not.toContain('model.completed');
});

if (HAS_WALLS)
  testInTurn('V7 behind walls no other check can read the held-out files where they lie', async () => {
    const home = await folderWith({ 'exams/a/exam.txt': SECRET });
    vi.stubEnv('HOME', home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const heldOut = join(home, 'exams/a');
    // What is in the home can only be read where it is shown.
    const checks = [`L1:${NODE_TESTS} sum.test.cjs`, `test -d ${heldOut} && ! cat ${heldOut}/exam.txt`];
    const heldOutChecks = ['grep -q adds exam.txt'];
    const { ending, text } = await examined({ write: RIGHT }, { checks, heldOut, heldOutChecks, homePaths: ['exams'] });
    expect(ending).toBe('success');
    expect(text).not.toContain(SECRET);
  });

testInTurn('V7 the tools of a model do not read the folder of held-out files', async () => {
  const heldOut = await folderWith(EXAM);
  const { root, commit } = await repository(SUM);
  await commit();
  const path = join(heldOut, 'exam/sum.test.cjs');
  const call = { tool: 'read', arguments: { path } };
  const model = scriptedModel({ answers: [{ calls: [call] }, { text: 'done' }] });
  const loops = new Loops({ log: memoryLog(), model });
  const checks = [`L1:${NODE_TESTS} sum.test.cjs`];
  const live = await loops.start({
    prompt: 'x',
    loop: 'turn',
    directory: root,
    checks,
    heldOut,
    heldOutChecks: CHECKS,
  });
  const asked = loops
    .events(live.run)
    .pipe(first(({ type }) => type === 'tool.failed' || String(type).includes('asked')));
  expect(JSON.stringify(await firstValueFrom(asked))).not.toContain(SECRET);
  await loops.abort(live.run);
  await live.done;
  expect(JSON.stringify(await lastValueFrom(loops.events(live.run).pipe(toArray())))).not.toContain(SECRET);
});

describe('V7 a run does not begin', () => {
  const CASES: readonly (readonly [string, { readonly within?: string } & Partial<RunOptions>, RegExp])[] = [
    ['with held-out files in the workspace', { within: 'held' }, /outside of/],
    ['with held-out files around the workspace', { within: '..' }, /outside of/],
    ['with a folder that is not there', { heldOut: '/nothing/there' }, /is not there/],
    ['without held-out checks', { heldOutChecks: [] }, /heldOutChecks/],
    ['where its checks run in the workspace', { checkIn: 'workspace' }, /--check-in workspace/],
  ];
  test.each(CASES)('V7 %s', async (_what, { within, ...more }, says) => {
    const { root, commit } = await repository({ ...SUM, 'held/a.txt': 'a' });
    await commit();
    const heldOut = within === undefined ? await folderWith(EXAM) : join(root, within);
    const loops = new Loops({ log: memoryLog(), model: scriptedModel({ answers: [{ text: 'done' }] }) });
    const options = { prompt: 'x', directory: root, checks: ['true'], heldOut, heldOutChecks: CHECKS, ...more };
    await expect(loops.start(options)).rejects.toThrow(says);
  });
});

testInTurn('V7 configuration of the work has no say in held-out checks', async () => {
  const scripts = (exam: string) => JSON.stringify({ scripts: { exam } });
  const exam = `${NODE_TESTS} exam/*.test.cjs`;
  const files = { ...SUM, 'package.json': scripts(exam) };
  const script = scripts(`cp right.cjs sum.cjs && ${exam}`);
  const work = { write: { ...HARD_CODED, 'right.cjs': RIGHT['sum.cjs'], 'package.json': script } };
  const { verified } = await examined(work, { files, heldOutChecks: ['npm run exam'], maxSteps: 2 });
  expect(verified).toMatchObject([{ passed: false, proof: { heldOut: { checks: 1, failed: 1 } } }]);
});

testInTurn('V7 nothing of held-out checks is streamed', async () => {
  const { root, commit } = await repository(SUM);
  await commit();
  const write = { tool: 'write', arguments: { path: 'sum.cjs', content: HARD_CODED['sum.cjs'] } };
  const loops = new Loops({
    log: memoryLog(),
    model: scriptedModel({ answers: [{ calls: [write] }, { text: 'done' }] }),
  });
  const checks = [`L1:${NODE_TESTS} sum.test.cjs`];
  const heldOut = await folderWith(EXAM);
  const options = { prompt: 'x', loop: 'turn', directory: root, checks, heldOut, heldOutChecks: CHECKS, maxSteps: 2 };
  const live = await loops.start(options);
  const streamed: string[] = [];
  live.deltas.subscribe((delta) => streamed.push(JSON.stringify(delta)));
  await live.done;
  expect(streamed.join('\n')).toMatch(/(Subtest:|✖) adds/);
  expect(streamed.join('\n')).not.toContain(SECRET);
});
