import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { captureActor } from '../../../src/actors/capture/capture-actor.ts';
import { pushedCaptures } from '../../../src/actors/capture/push-captures.ts';
import { captureFolder } from '../../../src/git/capture/capture-folder.ts';
import { CaptureRemote } from '../../../src/git/remote/capture-remote.ts';
import { type CapturePlace, runRefs } from '../../../src/git/run-refs.ts';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import type { Script } from '../../../src/actors/model/script.ts';
import { FleetWorker, type WorkerNews } from '../../../src/hosts/fleet/fleet-workers.ts';
import type { PlacesOptions } from '../../../src/hosts/fleet/run-places.ts';
import { SubmitOptions } from '../../../src/app/start/submit-run.ts';
import type { WorkerRun } from '../../../src/hosts/fleet/worker-options.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import type { Log } from '../../../src/log/log.ts';
import { memoryLog, openSqliteLog } from '../../../src/log/sqlite/engine.ts';
import { readSettings } from '../../../src/runtime/read-settings.ts';
import { folder, Program } from '../../cli/program.ts';
import { git, repository, temporaryFolder } from '../../git/repository.ts';
import { shared } from './travel-fixture.ts';

const WRITES: Script = {
  answers: [{ calls: [{ tool: 'write', arguments: { path: 'done.txt', content: 'yes' } }] }, { text: 'done' }],
};
const RUN = '01900000-0000-7000-8000-000000000001';
const OWN: WorkerRun = { loop: 'iteration', tools: ['write'], checks: ['sh check.sh'], accept: 'weak' };

/** A worker that works until nothing is due, and what it told. */
async function worked(log: Log, places: PlacesOptions | undefined, script = WRITES, own = OWN) {
  const news: WorkerNews[] = [];
  const captures = places ? { captures: places.captures } : {};
  const loops = new Loops({ log, model: scriptedModel(script), holds: null, warn: () => {}, ...captures });
  const worker = new FleetWorker(loops, {
    run: { ...own, directory: await temporaryFolder() },
    ...(places ? { places } : {}),
    told: (one) => news.push(one),
  });
  await worker.work({ untilIdle: true });
  return news;
}

test('H4 a submission names a repository, and a success ends as the branch that it names', async () => {
  const { origin, commit, places, filesOf } = await shared();
  const log = memoryLog();
  const loops = new Loops({ log, holds: null });
  const { run } = await loops.submit({ prompt: 'Do it.', repository: origin, commit, branch: 'fix/it' });
  const news = await worked(log, places);
  expect(await log.run(run)).toMatchObject({ closed: 'success' });
  expect(news).toContainEqual({
    kind: 'branch',
    run,
    delivered: { kind: 'delivered', branch: 'fix/it', commit: expect.any(String) },
  });
  expect(await filesOf('fix/it')).toEqual(['a.txt', 'check.sh', 'done.txt']);
  expect(await git(origin, 'rev-parse', 'main')).toBe(`${commit}\n`);
});

test('H4 a capture is in the repository of captures before its event is told', async () => {
  const { places, refsOf } = await shared();
  const { root } = await repository({ 'a.txt': 'one\n' });
  const capture = pushedCaptures(captureActor(), new CaptureRemote(places.captures));
  const call = { id: `${RUN}/1/0`, attempt: 1, signal: new AbortController().signal, delta: () => {} };
  const told = [];
  for await (const event of capture.execute({ directory: root, run: RUN, number: 1 }, call)) {
    if (event.type !== 'workspace.captured') continue;
    told.push(event.payload.hash);
    expect((await refsOf(RUN)).get(String(event.payload.ref))).toBe(event.payload.hash);
  }
  expect(told).toEqual([expect.any(String)]);
});

test('H4 captures of another machine are taken where they are newer, and those of here alone are kept', async () => {
  const { places } = await shared();
  const [here, there] = [await repository({ 'a.txt': 'one\n' }), await repository({ 'a.txt': 'one\n' })];
  const remote = new CaptureRemote(places.captures);
  const { signal } = new AbortController();
  const captureIn = ({ root }: { root: string }, number: CapturePlace) =>
    captureFolder({ directory: root, run: RUN, number, listsChanges: false, store: 'memory:' }, signal);
  await captureIn(here, 1);
  await remote.push(RUN, { directory: here.root });
  await captureIn(here, 2);
  expect(await remote.fetch([RUN], { directory: here.root })).toBe(false);
  expect([...(await runRefs(RUN, { directory: here.root })).keys()]).toContain('2');
  expect(await remote.fetch([RUN], { directory: there.root })).toBe(true);
  await there.write({ 'a.txt': 'two\n' });
  await captureIn(there, 'end');
  await remote.push(RUN, { directory: there.root });
  expect(await remote.fetch([RUN], { directory: here.root })).toBe(true);
  expect(await runRefs(RUN, { directory: here.root })).toEqual(await runRefs(RUN, { directory: there.root }));
});

test('H4 a run whose worker was killed, and its disk deleted, goes on elsewhere from its last capture', async () => {
  const { origin, places, lose, filesOf, refsOf } = await shared();
  const again = 'if [ -f one.txt ]; then echo yes > done.txt; else echo 1 > one.txt; fi; [ ! -f done.txt ] || sleep 3';
  const script = { answers: [{ calls: [{ tool: 'shell', arguments: { command: again } }] }, { text: 'done' }] };
  const cwd = await folder({ 'model.json': JSON.stringify(script) });
  const log = openSqliteLog(join(cwd, 'runs.db'));
  onTestFinished(() => log.close());
  const { run } = await new Loops({ log, holds: null }).submit({
    prompt: 'Do it.',
    repository: origin,
    branch: 'fix/it',
  });
  const words = ['work', '--log', 'sqlite:runs.db', '--until-idle', '-m', 'script:model.json', '--loop', 'iteration'];
  const checks = ['--verify', 'sh check.sh', '--accept', 'weak', '--tools', 'shell'];
  const where = ['--workspaces', places.folder, '--repository', places.repositories[0] as string];
  const worker = () => new Program([...words, ...checks, ...where, '--captures', places.captures], { cwd });
  const victim = worker();
  const over = new AbortController();
  let captures = 0;
  for await (const { type } of log.follow(run, { signal: over.signal })) {
    if (type === 'workspace.captured') captures += 1;
    if (type === 'iteration.started' && captures > 0) over.abort();
  }
  victim.signal('SIGKILL');
  await victim.ended;
  const before = await refsOf(run);
  await lose();
  const { status, stdout, stderr } = await worker().ended;
  expect({ status, stdout, stderr }).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('fix/it is '),
    stderr: expect.stringContaining('made again from capture 1'),
  });
  expect(before.has(`refs/loopfold/${run}/1`)).toBe(true);
  expect(await filesOf('fix/it')).toEqual(['a.txt', 'check.sh', 'done.txt', 'one.txt']);
  expect(await log.verify(run)).toMatchObject({ kind: 'intact' });
});

test('H4 a run waits, unrecorded, while the repository of captures refuses them', async () => {
  const { origin, places, refuse, take } = await shared();
  const log = memoryLog();
  const { run } = await new Loops({ log, holds: null }).submit({ prompt: 'Do it.', repository: origin });
  await refuse();
  const news = await worked(log, places);
  expect(news).toContainEqual({
    kind: 'settled',
    run,
    settled: expect.objectContaining({ standing: 'due', because: expect.stringMatching(/could not be pushed.*full/s) }),
  });
  expect(await log.run(run)).toBeNull();
  await take();
});

test.each([
  ['that a worker may not work in', () => ({ repository: 'https://git.example/other.git' }), /does not work in/],
  ['without the commit', (origin: string) => ({ repository: origin, commit: 'no-such' }), /a commit that .* has/],
  ['that cannot be reached', (origin: string) => ({ repository: `${origin}.gone` }), /could not be fetched/],
])('H4 a repository %s is told with its reason', async (_which, asked, words) => {
  const { origin, places } = await shared();
  const log = memoryLog();
  const { run } = await new Loops({ log, holds: null }).submit({ prompt: 'Do it.', ...asked(origin) });
  const news = await worked(log, places);
  const reasons = news.flatMap((one) => {
    if (one.kind === 'left_to_others') return [one.because];
    return one.kind === 'settled' && 'because' in one.settled ? [one.settled.because] : [];
  });
  expect(reasons.join('\n')).toMatch(words);
  expect(await log.run(run)).toBeNull();
});

test('H4 a branch that is there already is never moved, and the reason is told', async () => {
  const { origin, commit, places } = await shared();
  const log = memoryLog();
  const { run } = await new Loops({ log, holds: null }).submit({
    prompt: 'Do it.',
    repository: origin,
    branch: 'main',
  });
  const news = await worked(log, places);
  expect(news).toContainEqual({
    kind: 'settled',
    run,
    settled: expect.objectContaining({ because: expect.stringContaining('has another branch main') }),
  });
  expect(await git(origin, 'rev-parse', 'main')).toBe(`${commit}\n`);
});

test.each([
  ['a password', { repository: 'https://me:secret@git.example/a.git' }],
  ['a command', { repository: 'ext::sh -c id' }],
  ['an option', { repository: '--upload-pack=id' }],
  ['a branch without a repository', { branch: 'main' }],
  ['an option for a commit', { repository: '/srv/a.git', commit: '--all' }],
  ['a name that git does not allow', { repository: '/srv/a.git', branch: 'a..b' }],
])('H4 a submission with %s is refused', (_what, asked) => {
  const { error } = SubmitOptions.safeParse({ prompt: 'Do it.', ...asked });
  expect(error?.issues.length).toBeGreaterThan(0);
  expect(JSON.stringify(error?.issues)).not.toContain('secret');
});

test('H4 a configuration file in a repository counts where the worker trusts its content, below its own', async () => {
  const { commitFile, places, origin } = await shared();
  const text = JSON.stringify({ checks: ['test -f told.txt'], maxIterations: 7, tools: ['read'] });
  await commitFile('loopfold.config.json', text);
  const log = memoryLog();
  const loops = new Loops({ log, holds: null });
  const settingsBy = async (trusted: readonly string[]) => {
    const { run } = await loops.submit({ prompt: 'Do it.', repository: origin });
    const { checks: _checks, ...own } = OWN;
    const news = await worked(log, { ...places, trusted }, WRITES, own);
    return { settings: await readSettings(log, run), news };
  };

  const trusting = await settingsBy([createHash('sha256').update(text).digest('hex')]);
  const other = await settingsBy(['0'.repeat(64)]);

  expect(trusting.settings).toMatchObject({ checks: [{ command: 'test -f told.txt' }], limits: { maxIterations: 7 } });
  expect(trusting.settings?.tools).toContain('write');
  expect(trusting.news.filter(({ kind }) => kind === 'trouble')).toEqual([]);
  expect(other.settings).toMatchObject({ checks: [] });
  expect(other.news).toContainEqual({ kind: 'trouble', because: expect.stringContaining('does not trust') });
});
