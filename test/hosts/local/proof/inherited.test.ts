import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filter, firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scriptedModel } from '../../../../src/actors/model/model-script.ts';
import type { RunOptions } from '../../../../src/config/options.ts';
import { userFolder } from '../../../../src/config/places.ts';
import { Loops } from '../../../../src/hosts/local/local-host.ts';
import { approveLeft } from '../../../../src/app/proof/approve-left.ts';
import { leftGrounds } from '../../../../src/app/proof/grounds-left.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { repository, temporaryFolder } from '../../../git/repository.ts';
import { absent } from '../../../support/absent.ts';
import { tool } from '../../../support/stand-ins.ts';
import type { Files } from './proof-project.ts';
import { NODE_TESTS } from '../../../support/node-tests.ts';

const STRICT = "require('node:test')('adds', () => require('node:assert').equal(require('./sum.cjs').add(1, 2), 3));\n";
const WEAK = STRICT.replace('equal(', 'ok(');
const FILES: Files = {
  '.gitignore': '.loopfold\n',
  'sum.cjs': 'exports.add = (a, b) => a - b;\n',
  'sum.test.cjs': STRICT,
};
const RIGHT: Files = { 'sum.cjs': 'exports.add = (a, b) => a + b;\n' };
const SLOPPY: Files = { 'sum.cjs': 'exports.add = (a, b) => a * b;\n' };

type Meanwhile = (loops: Loops, run: string) => Promise<void>;

/** A project in which runs work one after the other. */
async function project(files: Files = FILES) {
  const { root, commit, write, git } = await repository(files);
  await commit();
  const log = memoryLog();
  const ran = async (work: Files, more: Partial<RunOptions> = {}, meanwhile?: Meanwhile, into = log) => {
    const one = tool('work', async (_input, { directory }) => {
      for (const [path, text] of Object.entries(work)) await writeFile(named(directory, path), text);
      return { output: 'written' };
    });
    const answers = [
      { calls: [{ tool: 'work', arguments: {} }] },
      ...Array.from({ length: 3 }, () => ({ text: 'done' })),
    ];
    const loops = new Loops({ log: into, model: scriptedModel({ answers }), tools: [one] });
    const live = await loops.start({
      prompt: 'x',
      loop: 'turn',
      directory: root,
      checks: [`L1:${NODE_TESTS}`],
      maxSteps: 2,
      ...more,
      tools: ['work'],
    });
    await meanwhile?.(loops, live.run);
    const done = await live.done;
    const events = await lastValueFrom(loops.events(live.run).pipe(toArray()));
    return {
      run: live.run,
      loops,
      warnings: live.warnings.join('\n'),
      outcome: done.kind === 'ended' ? done.outcome : done,
      text: JSON.stringify(events),
      of: (type: string) => events.filter((event) => String(event.type) === type).map(({ payload }) => payload),
    };
  };
  return { root, write, git, commit, ran, log };
}

/** Each character of a path one byte, so that a name need not be UTF-8. */
const named = (directory: string, path: string) => Buffer.from(join(directory, path), 'latin1');

const WITNESSED = { ending: 'success', verified: { grade: 'witnessed' } };

test('V2 a test that an earlier run weakened does not count in the next one, which says so', async () => {
  const { ran, git } = await project();
  const first = await ran({ 'sum.test.cjs': WEAK });
  expect(first.outcome).not.toMatchObject({ ending: 'success' });
  // A commit approves nothing: the agent can make one.
  await git('commit', '-qam', 'weaker');
  const second = await ran(SLOPPY);
  expect(second.outcome).not.toMatchObject({ ending: 'success' });
  const said = `An earlier run ${first.run} changed sum.test.cjs. No person has approved that`;
  expect(second.warnings).toContain(said);
  expect(second.warnings).toContain(`loopfold approve ${first.run} grounds`);
  expect(JSON.stringify(second.of('decision.made'))).toContain(said);
  expect(second.of('verification.completed')).toMatchObject([{ proof: { inherited: ['sum.test.cjs'] } }]);
  // And two runs do not make it one of the third's own.
  const third = await ran(SLOPPY);
  expect(third.outcome).not.toMatchObject({ ending: 'success' });
  expect(third.warnings).toContain(said);
  expect((await ran({ ...RIGHT, 'sum.test.cjs': STRICT })).outcome).toMatchObject(WITNESSED);
});

const WEAKENED: Files = { 'sum.test.cjs': WEAK };

test('V16 given a weakened test, when a person rewrites it, then it is theirs, and named', async () => {
  const { root, ran, write, log } = await project();
  const first = await ran(WEAKENED, { checkIn: 'workspace' });
  await write({ 'sum.test.cjs': STRICT.replaceAll('1, 2', '2, 2').replace('3)', '4)') });
  const since = { left: [], others: [{ path: 'sum.test.cjs', run: first.run }] };
  expect(await leftGrounds(log, root, () => true, absent('user'))).toEqual(since);
  const second = await ran(RIGHT);
  expect(second.warnings).toContain(`run ${first.run} changed sum.test.cjs, and others have changed that since`);
  expect(second.outcome).toMatchObject(WITNESSED);
});

test('V16 given a weakened test, when a formatter touches it, then it is still what the run has left', async () => {
  const { root, ran, write, log } = await project();
  const first = await ran(WEAKENED, { checkIn: 'workspace' });
  await write({ 'sum.test.cjs': `\n${WEAK.replaceAll("'", '"').replaceAll(';', '').replace('3))', '3,\n))')}` });
  const left = [{ path: 'sum.test.cjs', run: first.run }];
  expect(await leftGrounds(log, root, () => true, absent('user'))).toEqual({ left, others: [] });
  const second = await ran(SLOPPY);
  expect(second.warnings).toContain(`run ${first.run} changed sum.test.cjs. No person has approved that`);
  expect(second.outcome).not.toMatchObject({ ending: 'success' });
});

test('V16 given a log that is gone, when git keeps its runs, then what they weakened does not count', async () => {
  const { ran, git } = await project();
  const first = await ran(WEAKENED, { checkIn: 'workspace' });
  await git('update-ref', '-d', `refs/loopfold/${first.run}/log`);
  const second = await ran(SLOPPY, {}, undefined, memoryLog());
  expect(second.warnings).toContain(`git keeps 1 run that this log does not have: ${first.run}`);
  expect(second.warnings).toContain(`run ${first.run} changed sum.test.cjs. No person has approved that`);
  expect(second.outcome).not.toMatchObject({ ending: 'success' });
});

test('V2 what a run has left that ran its checks in the workspace, or none, does not count either', async () => {
  const { ran } = await project();
  const first = await ran(WEAKENED, { checkIn: 'workspace' });
  expect(first.outcome).toMatchObject({ ending: 'success' });
  const second = await ran(SLOPPY);
  expect(second.warnings).toContain(`run ${first.run} changed sum.test.cjs`);
  expect(second.outcome).not.toMatchObject({ ending: 'success' });
});

test('V2 a run of which a process has removed what git kept has left the workspace as it is', async () => {
  const { ran, git } = await project();
  const { run } = await ran(WEAKENED);
  for (const name of ['0', '1', 'end']) await git('update-ref', '-d', `refs/loopfold/${run}/${name}`);
  const second = await ran(SLOPPY);
  expect(second.warnings).toContain(`run ${run} changed sum.test.cjs`);
  expect(second.outcome).not.toMatchObject({ ending: 'success' });
});

test('V2 a person who goes on after a run that added tests is told in one line, and can be witnessed', async () => {
  const { ran } = await project({
    ...FILES,
    'minus.cjs': 'exports.minus = (a, b) => a + b;\n',
    'minus.test.cjs': MINUS,
  });
  const first = await ran({ ...RIGHT, 'more.test.cjs': STRICT.replace("'adds'", "'adds more'") });
  expect(first.outcome).not.toMatchObject({ ending: 'success' });
  const second = await ran({ 'minus.cjs': 'exports.minus = (a, b) => a - b;\n' });
  expect(second.warnings.split('\n')).toHaveLength(1);
  expect(second.warnings).toContain('more.test.cjs');
  expect(second.outcome).toMatchObject(WITNESSED);
  expect(second.of('verification.completed')).toMatchObject([{ proof: { tests: [{ fresh: 1 }] } }]);
});

const MINUS =
  "require('node:test')('subtracts', () => require('node:assert').equal(require('./minus.cjs').minus(3, 2), 1));\n";

test('V2 work that changes nothing does not count, also where an earlier run left a green base', async () => {
  const { ran } = await project({ ...FILES, ...RIGHT });
  await ran(WEAKENED);
  const second = await ran({});
  expect(second.outcome).not.toMatchObject({ ending: 'success' });
  expect(second.of('verification.completed')).toMatchObject([{ proof: { unchanged: true } }]);
});

test('V2 of a package.json the keys that are grounds are those of before, and the rest is as it is', async () => {
  const scripts = (script: string, version: string) => JSON.stringify({ version, scripts: { test: script } });
  const { ran } = await project({ ...FILES, 'package.json': scripts('node --test', '1') });
  await ran({ 'package.json': scripts('node --test || true', '2') }, { checks: ['L1:npm test'] });
  const checks = ['L1:npm test', 'grep -q "version.*2" package.json'];
  const second = await ran(RIGHT, { checks });
  expect(second.warnings).toContain('changed package.json');
  expect(second.outcome).toMatchObject(WITNESSED);
});

test('V2 what a person approves after a run has ended counts in the next run, until it is changed again', async () => {
  const { ran } = await project();
  const home = await temporaryFolder();
  vi.stubEnv('XDG_CONFIG_HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const first = await ran(WEAKENED);
  expect(await approveLeft(first.loops, first.run, userFolder(process.env))).toEqual({
    kind: 'approved',
    paths: ['sum.test.cjs'],
  });
  const second = await ran(SLOPPY);
  expect(second.warnings).toBe('');
  const third = await ran({ 'sum.test.cjs': `${WEAK}\n` });
  expect(third.warnings).toBe('');
  const fourth = await ran(SLOPPY);
  expect(fourth.warnings).toContain(`run ${third.run} changed sum.test.cjs`);
});

test('V2 a ground whose name is no UTF-8 is told of by the run that changed it, and can be approved', async () => {
  const { ran } = await project();
  vi.stubEnv('XDG_CONFIG_HOME', await temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const path = 'caf\xe9.test.cjs';
  const first = await ran({ [path]: '' });
  const said = `run ${first.run} changed ${path}`;
  expect((await ran(SLOPPY)).warnings).toContain(said);
  expect((await ran(SLOPPY)).warnings).toContain(said);
  expect(await approveLeft(first.loops, first.run, userFolder(process.env))).toMatchObject({ paths: [path] });
  expect((await ran(SLOPPY)).warnings).toBe('');
});

test('V2 an isolated run goes by what was there before, too', async () => {
  const { ran } = await project();
  const first = await ran(WEAKENED);
  const second = await ran(SLOPPY, { isolate: 'worktree' });
  expect(second.warnings).toContain(`run ${first.run} changed sum.test.cjs`);
  expect(second.outcome).not.toMatchObject({ ending: 'success' });
  const third = await ran(RIGHT, { isolate: 'worktree' });
  expect(third.outcome).toMatchObject(WITNESSED);
});

test('V2 what a person has let count while a run worked counts in the next one', async () => {
  const { ran } = await project();
  const approves = async (loops: Loops, run: string) => {
    const asked = loops.events(run).pipe(filter(({ payload }) => JSON.stringify(payload).includes('"is":"asked"')));
    await firstValueFrom(asked);
    await loops.grant(run, { call: 'grounds', granted: true });
  };
  const first = await ran(WEAKENED, { maxSteps: 4, detectors: [] }, approves);
  expect(first.outcome).toMatchObject({ ending: 'success', verified: { grade: 'weak' } });
  expect((await ran(SLOPPY)).warnings).toBe('');
});
