import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { worktreesOf } from '../../hosts/local/isolation/isolated.ts';
import { CANDIDATE, factsBefore, FILES, night, refsOf, SUMS, treeWith } from './night.ts';
import { oneProcess, RUN } from './one-process.ts';

const BRANCH = `loopfold/${RUN}`;
const FIX = { 'sum.js': SUMS.fixed, 'new/file.txt': 'new\n' };

/** A night whose candidate has passed its evaluation with these files. */
async function passedWith(files: Readonly<Record<string, string | null>>, how: Parameters<typeof night>[0] = {}) {
  const at = await night(how);
  const untouched = await at.untouched();
  const tree = await treeWith(at, at.base, files);
  const before = await factsBefore(at, tree);
  const one = oneProcess(at.settings, at.store, before);
  const inWorktree = (path: string) => readFile(join(at.settings.directory, path), 'utf8');
  /** The person's index, files and branches, but for those of the loop. */
  const present = async () => {
    const { heads, ...rest } = await at.untouched();
    return { ...rest, heads: heads.replace(/.*refs\/heads\/loopfold\/.*\n/g, '') };
  };
  return { ...at, ...one, before, tree, untouched, inWorktree, present };
}

const tipOf = async (git: (...args: string[]) => Promise<string>) =>
  (await git('for-each-ref', '--format=%(objectname)', `refs/heads/${BRANCH}`)).trim();

testInTurn('I9 I3 a candidate becomes a commit on the branch of the run, and the tree of the next one', async () => {
  const { git, run, memory, settings, ...at } = await passedWith(FIX);
  const events = await run('integrateCandidate');
  expect(events.map(({ type }) => type)).toEqual(['workspace.captured', 'baseline.taken', 'integration.completed']);
  const commit = await tipOf(git);
  expect(events.at(-1)?.payload).toEqual({
    candidate: CANDIDATE.id,
    branch: BRANCH,
    commit,
    tree: at.tree,
    to: 'head',
  });
  expect(await at.filesOf(BRANCH)).toEqual({ ...FILES, ...FIX });
  expect(await git('log', '--format=%an <%ae> %P%n%B', '-1', BRANCH)).toMatch(
    new RegExp(`^Grace <grace@example.org> ${at.head}\n${CANDIDATE.title}\n\n${CANDIDATE.summary}\n`),
  );
  expect(await at.inWorktree('sum.js')).toBe(SUMS.fixed);
  expect((await refsOf(at.root)).get('1')).toBe(at.tree);
  expect(memory.baseline).toMatchObject({ workspace: at.tree, passed: true });
  expect(await at.present()).toEqual(at.untouched);
});

testInTurn('I3 the next candidate becomes the next commit on top, with its own change alone', async () => {
  const { git, run, memory, facts, ...at } = await passedWith(FIX);
  await run('integrateCandidate');
  const first = await tipOf(git);
  const tree = await treeWith(at, at.tree, { 'sum.js': `${SUMS.fixed}// checked\n`, 'new/file.txt': null });
  const next = oneProcess(at.settings, at.store, [
    ...facts,
    ...at.before.slice(1).map((event) => JSON.parse(JSON.stringify(event).replaceAll(at.tree, tree))),
  ]);
  expect((await next.run('integrateCandidate')).at(-1)).toMatchObject({ type: 'integration.completed' });
  expect((await git('log', '--format=%P', '-1', BRANCH)).trim()).toBe(first);
  expect(await git('diff', '--name-status', first, BRANCH)).toBe('D\tnew/file.txt\nM\tsum.js\n');
  expect(await at.inWorktree('sum.js')).toContain('// checked');
});

testInTurn(
  'I3 what breaks a test that passed on the head is taken back: files, branch and what the checks say',
  async () => {
    const { git, run, memory, ...at } = await passedWith({ ...FIX, 'sum.js': SUMS.broken });
    const { baseline } = memory;
    const events = await run('integrateCandidate');
    expect(events).toEqual([
      {
        type: 'integration.failed',
        payload: {
          candidate: CANDIDATE.id,
          reason: expect.stringMatching(/on the integrated tree: L1\/test: fails: .*adds/),
          reverted: true,
        },
      },
    ]);
    expect(await at.inWorktree('sum.js')).toBe(FILES['sum.js']);
    await expect(at.inWorktree('new/file.txt')).rejects.toThrow('ENOENT');
    expect(await tipOf(git)).toBe('');
    expect(memory.baseline).toEqual(baseline);
    expect(await at.present()).toEqual(at.untouched);
  },
);

test('I3 a check that fails once on the integrated tree, and not again, takes nothing back', async () => {
  const arm = join(await temporaryFolder(), 'armed');
  const { run } = await passedWith(FIX, { check: `test ! -e ${arm} || { rm ${arm}; exit 1; }` });
  await writeFile(arm, '');
  const events = await run('integrateCandidate');
  expect(events.at(-1)).toMatchObject({ type: 'integration.completed' });
  expect(events.at(-2)).toMatchObject({ type: 'baseline.taken', payload: { passed: true } });
  await expect(readFile(arm)).rejects.toThrow('ENOENT');
});

testInTurn('I3 a candidate that takes a test away is taken back', async () => {
  const { run } = await passedWith({ 'sum.test.js': FILES['sum.test.js'].replace(/test\('adds.*\n/, '') });
  const [failed] = await run('integrateCandidate');
  expect(failed).toMatchObject({ type: 'integration.failed', payload: { reverted: true } });
  expect(JSON.stringify(failed)).toMatch(/was not run: .*adds/);
});

testInTurn(
  'I9 files that were not committed stay as they are, and are a commit of their own below the first',
  async () => {
    const uncommitted = { 'package.json': '{"type": "module", "private": true}\n', 'notes.txt': 'mine\n' };
    const { git, run, ...at } = await passedWith(FIX, { uncommitted, from: 'files' });
    expect((await run('integrateCandidate')).at(-1)).toMatchObject({ type: 'integration.completed' });
    expect(await git('diff', '--name-only', `${BRANCH}~1`, BRANCH)).toBe('new/file.txt\nsum.js\n');
    expect(await git('diff', '--name-only', at.head, `${BRANCH}~1`)).toBe('notes.txt\npackage.json\n');
    expect((await git('rev-parse', `${BRANCH}~2`)).trim()).toBe(at.head);
    expect(await at.present()).toEqual(at.untouched);
    expect(await readFile(join(at.root, 'notes.txt'), 'utf8')).toBe('mine\n');
  },
);

testInTurn('I3 a branch that another process has moved is left where it is, and nothing is kept', async () => {
  const { git, run, ...at } = await passedWith(FIX);
  const other = (await git('commit-tree', `${at.head}^{tree}`, '-p', at.head, '-m', 'mine')).trim();
  await git('update-ref', `refs/heads/${BRANCH}`, other);
  const [failed] = await run('integrateCandidate');
  expect(failed).toMatchObject({
    type: 'integration.failed',
    payload: { reason: expect.stringMatching(/^another process moved the branch/), reverted: false },
  });
  expect(await tipOf(git)).toBe(other);
  expect(await at.inWorktree('sum.js')).toBe(FILES['sum.js']);
});

testInTurn('I3 where the branch is moved at the last moment, all of it is taken back', async () => {
  const { git, run, memory, ...at } = await passedWith(FIX);
  const { baseline } = memory;
  const other = (await git('commit-tree', `${at.head}^{tree}`, '-p', at.head, '-m', 'mine')).trim();
  const events: string[] = [];
  let moving: Promise<unknown> = Promise.resolve();
  await run('integrateCandidate', {
    on: async ({ type }) => {
      events.push(type);
      if (type === 'baseline.taken') moving = git('update-ref', `refs/heads/${BRANCH}`, other);
      await moving;
    },
  });
  const both = ['workspace.captured', 'baseline.taken'];
  expect(events).toEqual([...both, ...both, 'integration.failed']);
  expect(memory).toMatchObject({ baseline, captured: at.base });
  expect(await tipOf(git)).toBe(other);
  expect(await at.inWorktree('sum.js')).toBe(FILES['sum.js']);
});

testInTurn('I9 a branch that a person has checked out is not moved', async () => {
  const { git, run, ...at } = await passedWith(FIX);
  await git('switch', '--quiet', '--create', BRANCH);
  const [failed] = await run('integrateCandidate');
  expect(failed).toMatchObject({ payload: { reason: expect.stringContaining(`is checked out in ${at.root}`) } });
  expect(await tipOf(git)).toBe(at.head);
});

testInTurn('I1 with integration off the change lies on a branch of its own, and the head does not move', async () => {
  const options = { phases: { integrate: { enabled: false } } };
  const { git, run, memory, ...at } = await passedWith(FIX, { options });
  const branch = `${BRANCH}-${CANDIDATE.id}`;
  const events = await run('integrateCandidate');
  const commit = (await git('rev-parse', branch)).trim();
  expect(events.map(({ payload }) => payload)).toEqual([
    { candidate: CANDIDATE.id, branch, commit, tree: at.base, to: 'branch' },
  ]);
  expect(await at.filesOf(branch)).toEqual({ ...FILES, ...FIX });
  expect(await tipOf(git)).toBe('');
  expect(await at.inWorktree('sum.js')).toBe(FILES['sum.js']);
  expect(memory.captured).toBe(null);
  expect(await at.present()).toEqual(at.untouched);
});

const opening = (prCommand: string) => ({ phases: { integrate: { requireApproval: true, prCommand } } });

test('I7 after an approval the command for a pull request gets its text, and what it prints is recorded', async () => {
  const out = join(await temporaryFolder(), 'text');
  const options = opening(`cat >${out}; echo "opened for $LOOPFOLD_BRANCH"`);
  const { git, run } = await passedWith(FIX, { options });
  const { payload } = (await run('integrateCandidate')).at(-1) ?? {};
  expect(payload).toMatchObject({ opened: `opened for ${BRANCH}` });
  const text = await readFile(out, 'utf8');
  expect(text).toBe(Object(payload).request);
  expect(text.split('\n')[0]).toBe(CANDIDATE.title);
  for (const part of [CANDIDATE.summary, 'all tiers passed', '`sum.js` (+1 −1)', await tipOf(git), `switch ${BRANCH}`])
    expect(text).toContain(part);
});

testInTurn('I7 a command that opens no pull request is a warning, and the change is kept', async () => {
  const { git, run } = await passedWith(FIX, { options: opening('echo no network >&2; exit 3') });
  const events = await run('integrateCandidate');
  expect(events.at(-2)).toEqual({
    type: 'warning.raised',
    payload: { code: 'request_failed', message: expect.stringMatching(/ended with 3: no network$/) },
  });
  expect(events.at(-1)).toMatchObject({ type: 'integration.completed', payload: { commit: await tipOf(git) } });
});

testInTurn('I7 no second pull request is asked for where a process was killed before it could say so', async () => {
  const folder = await temporaryFolder();
  const options = opening(`echo again >>${folder}/calls`);
  const { git, run, before, ...at } = await passedWith(FIX, { options });
  const events = await run('integrateCandidate');
  const again = oneProcess(at.settings, at.store, [...before, ...events.slice(0, -1)]);
  const [warned, completed, ...more] = await again.run('integrateCandidate');
  expect(more).toEqual([]);
  expect(warned).toMatchObject({ payload: { message: expect.stringContaining('may have opened a pull request') } });
  expect(completed).toMatchObject({ payload: { commit: await tipOf(git) } });
  expect(await readFile(join(folder, 'calls'), 'utf8')).toBe('again\n');
});

testInTurn('I9 told to stop while the checks run, the files of the head are back before it says so', async () => {
  const stop = new AbortController();
  const files = { 'sum.js': SUMS.fixed, 'slow.test.js': 'setTimeout(() => {}, 30_000);\n' };
  const { git, run, memory, ...at } = await passedWith(files);
  const ending = run('integrateCandidate', { signal: stop.signal });
  await expect.poll(() => at.inWorktree('sum.js'), { timeout: 20_000 }).toBe(SUMS.fixed);
  stop.abort('abort');
  expect(await ending).toEqual([{ type: 'integration.interrupted', payload: { reason: 'abort' } }]);
  expect(await at.inWorktree('sum.js')).toBe(FILES['sum.js']);
  expect(await tipOf(git)).toBe('');
  expect(memory.captured).toBe(null);
});

testInTurn('I9 a file in the way that no capture has is left, and the candidate is not kept', async () => {
  const { git, run, ...at } = await passedWith(FIX);
  await mkdir(join(at.settings.directory, 'new/file.txt'), { recursive: true });
  await writeFile(join(at.settings.directory, 'new/file.txt/.loopfold-0123456789abcdef.draft'), 'kept');
  const [failed] = await run('integrateCandidate');
  expect(failed).toMatchObject({ payload: { reason: 'new/file.txt: a folder with other files is there' } });
  expect(await at.inWorktree('sum.js')).toBe(FILES['sum.js']);
  expect(await tipOf(git)).toBe('');
});

testInTurn('I9 without a name in the settings of git the commit is made under that of loopfold', async () => {
  const { git, run } = await passedWith(FIX);
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  await git('config', 'user.useConfigOnly', 'true');
  await git('config', '--unset', 'user.name');
  await git('config', '--unset', 'user.email');
  expect((await run('integrateCandidate')).at(-1)).toMatchObject({ type: 'integration.completed' });
  expect((await git('log', '--format=%an', '-1', BRANCH)).trim()).toBe('loopfold');
});

testInTurn(
  'I9 the worktree of the loop has the bytes of the candidate, and the commit what git stores of them',
  async () => {
    const files = { ...FILES, '.gitattributes': '*.txt text eol=crlf\n' };
    const { git, run, ...at } = await passedWith({ ...FIX, 'new/file.txt': 'new\r\n' }, { files });
    expect((await run('integrateCandidate')).at(-1)).toMatchObject({ type: 'integration.completed' });
    expect(await at.inWorktree('new/file.txt')).toBe('new\r\n');
    expect(await git('cat-file', 'blob', `${BRANCH}:new/file.txt`)).toBe('new\n');
  },
);

testInTurn('I3 the end of an integration leaves no worktree of its experiment', async () => {
  const { run, root, isolation } = await passedWith(FIX);
  await run('prepareExperiment');
  expect(await worktreesOf(root)).not.toEqual(await alone(root, isolation.top));
  await run('integrateCandidate');
  expect(await worktreesOf(root)).toEqual(await alone(root, isolation.top));
});

const alone = async (root: string, top: string) =>
  (await worktreesOf(root)).filter((name) => name.startsWith(basename(top)));
