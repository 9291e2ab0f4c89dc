import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { captureFolder } from '../../src/git/capture/capture-folder.ts';
import { captureActor } from '../../src/actors/capture/capture-actor.ts';
import { absent } from '../support/absent.ts';
import { performed } from '../actors/performed.ts';
import { capture, captureEvents, refOf, RUN } from './captured.ts';
import { git, repository, temporaryFolder } from './repository.ts';

afterEach(() => void vi.unstubAllEnvs());

/** Has a shell do something before each git. Returns its `$folder`. */
async function gitBefore(lines: string): Promise<string> {
  const folder = await temporaryFolder();
  const wrapper = `#!/bin/sh\nfolder='${folder}'\n${lines}\nPATH='${process.env['PATH']}' exec git "$@"\n`;
  await writeFile(join(folder, 'git'), wrapper, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  return folder;
}

describe('L9 hooks, filters and settings do not affect a capture', () => {
  test('L9 no hook runs, whichever the repository has', async () => {
    const { root, git } = await repository({ file: '1' });
    for (const hook of ['post-index-change', 'reference-transaction', 'pre-commit']) {
      const script = `#!/bin/sh\necho ${hook} >> '${root}/.git/ran'\nexit 1\n`;
      await writeFile(join(root, '.git/hooks', hook), script, { mode: 0o755 });
    }
    await git('config', 'core.fsmonitor', `echo fsmonitor >> '${root}/.git/ran'`);
    expect((await capture(root)).hash).not.toBeNull();
    expect(await readdir(join(root, '.git'))).not.toContain('ran');
  });

  test('L9 settings that make git sign, convert, quote or complain do not hinder it', async () => {
    const { root, write, commit, git } = await repository({ unix: 'a\n', dos: 'a\r\n' });
    await commit();
    await git('config', 'core.autocrlf', 'input');
    for (const setting of ['core.safecrlf', 'commit.gpgsign', 'core.quotePath', 'diff.noprefix']) {
      await git('config', setting, 'true');
    }
    await write({ 'new-dos': 'a\r\nb\r\n' });
    const { changed } = await capture(root);
    expect(changed).toContainEqual({ path: 'new-dos', added: 2, removed: 0 });
  });

  test('L9 a log of all refs gets no entry, and the user is never prompted, in any language', async () => {
    const { root, git } = await repository({ file: '1' });
    await git('config', 'core.logAllRefUpdates', 'always');
    const told = await gitBefore('echo $LC_ALL $GIT_TERMINAL_PROMPT >> "$folder/told"');
    await capture(root);
    expect(new Set((await readFile(join(told, 'told'), 'utf8')).trim().split('\n'))).toEqual(new Set(['C 0']));
    expect(await readdir(join(root, '.git'))).not.toContain('logs');
  });

  test('L9 the environment of a git hook does not lead it elsewhere', async () => {
    const { root } = await repository({ file: '1' });
    const elsewhere = await repository({ other: '2' });
    const expected = await capture(root);
    vi.stubEnv('GIT_DIR', join(elsewhere.root, '.git'));
    vi.stubEnv('GIT_WORK_TREE', elsewhere.root);
    vi.stubEnv('GIT_INDEX_FILE', join(elsewhere.root, '.git/index'));
    vi.stubEnv('GIT_OBJECT_DIRECTORY', join(elsewhere.root, '.git/objects'));
    vi.stubEnv('GIT_LITERAL_PATHSPECS', '1');
    vi.stubEnv('GIT_NAMESPACE', 'other');
    expect(await capture(root)).toEqual(expected);
    expect(await git(elsewhere.root, 'for-each-ref')).toBe('');
  });

  test('L9 but where git and its settings lie may be said', async () => {
    const { root } = await repository({ file: '1' });
    const ignore = join(await temporaryFolder(), 'ignore');
    await writeFile(ignore, 'file\n');
    vi.stubEnv('GIT_CONFIG_COUNT', '1');
    vi.stubEnv('GIT_CONFIG_KEY_0', 'core.excludesFile');
    vi.stubEnv('GIT_CONFIG_VALUE_0', ignore);
    expect((await capture(root)).changed).toEqual([]);
  });
});

test('L9 a folder is captured with the repository that it is in now, not with that of the capture before', async () => {
  const outer = await repository({ '.gitignore': '*.log', 'tracked.log': '1', 'inner/file': '2' });
  await outer.git('add', '--force', 'tracked.log');
  const inner = join(outer.root, 'inner');
  await git(inner, 'init', '--quiet');
  const before = await capture(inner);
  await rm(join(inner, '.git'), { recursive: true });
  const { hash } = await capture(inner);
  expect(hash).not.toBe(before.hash);
  expect(await outer.filesOf(refOf(0))).toEqual({
    '.gitignore': '*.log',
    'tracked.log': '1',
    'inner/file': '2',
  });
  await rm(join(outer.root, '.git'), { recursive: true });
  expect((await capture(inner)).hash).toBeNull();
});

test('L9 a capture that finds nothing new starts git six times, all of them by one shell', async () => {
  const { root, commit } = await repository({ file: '1' });
  await commit();
  await capture(root);
  const { hash } = await capture(root, 1);
  const folder = await gitBefore('echo "$@" >> "$folder/calls"');
  const again = await performed(captureActor(), { directory: root, run: RUN, number: 2 });
  expect(again.events).toEqual([{ type: 'workspace.captured', payload: { hash, ref: refOf(2), changed: [] } }]);
  const calls = (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');
  const names = calls.map((call) => call.replaceAll(/-c \S+ /gi, '').split(' ')[0]);
  // Two of them run beside each other.
  expect(names.toSorted()).toEqual(['add', 'ls-files', 'ls-files', 'rev-parse', 'update-ref', 'write-tree']);
});

test('L9 a repository that ignores everything but some files is captured with these', async () => {
  const { root, filesOf } = await repository({ '.gitignore': '*\n!/src/\n!/src/**\n', 'src/file': '1', other: '2' });
  const { ref } = await capture(root);
  expect(await filesOf(ref ?? '')).toEqual({ 'src/file': '1' });
});

describe('L9 where there is nothing to name, the capture says so', () => {
  const nothing = { hash: null, ref: null, changed: [] };
  const failure = (code: string, message: unknown = expect.any(String)) => [
    { type: 'workspace.failed', payload: { fault: { code, message } } },
  ];

  test('L9 outside git', async () => {
    expect(await capture(await temporaryFolder())).toEqual(nothing);
  });

  test('L9 in a folder that the repository around it ignores', async () => {
    const { root } = await repository({ '.gitignore': 'scratch/\n', 'scratch/work/file': '' });
    expect(await capture(join(root, 'scratch/work'))).toEqual(nothing);
  });

  test('L9 also where the capture before, and the name of its log, were in a repository', async () => {
    const { root } = await repository({ file: '1' });
    const input = { directory: root, run: '019a0000-0000-7000-8000-000000000000', store: 'memory:' };
    const { signal } = new AbortController();
    expect(await captureFolder({ ...input, number: 0 }, signal)).not.toBe(null);
    await rm(join(root, '.git'), { recursive: true });
    expect(await captureFolder({ ...input, number: 'end' }, signal)).toBe(null);
  });

  test('L9 a folder that is not there is a failure', async () => {
    const message = expect.stringMatching(/^git rev-parse: .*No such file or directory$/);
    expect(await captureEvents(absent())).toEqual(failure('git_failed', message));
  });

  test('L9 a repository that is damaged is a failure', async () => {
    const { root } = await repository({ file: '1' });
    await appendFile(join(root, '.git/index'), 'no index');
    expect(await captureEvents(root)).toMatchObject(failure('git_failed'));
  });

  test('L9 so is a run whose name cannot be a ref', async () => {
    const { root } = await repository({ file: '1' });
    const { events } = await performed(captureActor(), { directory: root, run: 'two words', number: 0 });
    expect(events).toMatchObject(failure('git_failed', expect.stringMatching(/^git update-ref: /)));
  });

  test('L9 a place where no copy of the index can be kept is a fault of the environment, and is named', async () => {
    const { root } = await repository({ file: '1' });
    const place = absent();
    vi.stubEnv('TMPDIR', place);
    await expect(captureEvents(root)).rejects.toThrow(`${place} cannot be used (ENOENT: no such file or directory)`);
  });

  test('L9 what cannot be read is left out, and told', async () => {
    const { root, filesOf } = await repository({ file: '1' });
    await mkdir(join(root, 'empty repository'));
    await git(join(root, 'empty repository'), 'init', '--quiet');
    const [warning, captured] = await captureEvents(root);
    const message =
      'The capture is not complete. empty repository/ has no commit, and is left out. Commit in it, or let git ignore it.';
    expect(warning).toEqual({ type: 'warning.raised', payload: { code: 'capture_incomplete', message } });
    expect(captured?.type).toBe('workspace.captured');
    expect(await filesOf(refOf(0))).toEqual({ file: '1' });
  });

  test('L9 but not at any length', async () => {
    const { root } = await repository();
    for (let index = 0; index < 10; index += 1) {
      await git(root, 'init', '--quiet', `${index} ${'x'.repeat(240)}`);
    }
    const [warning] = await captureEvents(root);
    if (warning?.type !== 'warning.raised') throw new Error('expected a warning');
    expect(warning.payload.message.length).toBeLessThan(2_100);
  });
});

describe('T11 told to stop, a capture ends and leaves nothing behind', () => {
  const interrupted = (reason: string) => [{ type: 'effect.interrupted', payload: { actor: 'capture', reason } }];

  test('T11 before it starts', async () => {
    const { root, git } = await repository({ file: '1' });
    expect(await captureEvents(root, 0, AbortSignal.abort('abort'))).toEqual(interrupted('abort'));
    expect(await git('for-each-ref')).toBe('');
  });

  test('T11 in the middle of it, git and what git has started are ended', async () => {
    const { root, git } = await repository({ file: '1' });
    const waits =
      'case "$*" in *" add "*) echo $$ > "$folder/new"; mv "$folder/new" "$folder/pid"; exec sleep 600;; esac';
    const pid = join(await gitBefore(waits), 'pid');
    const temporary = await temporaryFolder();
    vi.stubEnv('TMPDIR', temporary);
    const told = new AbortController();
    const capturing = captureEvents(root, 0, told.signal);
    const adding = await vi.waitFor(async () => Number(await readFile(pid, 'utf8')), { timeout: 120_000 });
    told.abort('pause');
    expect(await capturing).toEqual(interrupted('pause'));
    await vi.waitFor(() => expect(() => process.kill(adding, 0)).toThrow('ESRCH'), { timeout: 120_000 });
    // The git directory of ours is that of the process.
    expect((await readdir(temporary)).filter((name) => !name.startsWith('loopfold-raw-'))).toEqual([]);
    expect(await git('for-each-ref')).toBe('');
  });
});

test('a loop that needs a workspace hash gets a failure without git, never an unnamed workspace', async () => {
  const input = { directory: await temporaryFolder(), run: 'lost', number: 2, needsGit: true };
  const { events } = await performed(captureActor(), input);
  expect(events).toEqual([
    { type: 'workspace.failed', payload: { fault: expect.objectContaining({ code: 'no_git' }) } },
  ]);
});

test('changes are listed against a capture of another run, where a continuation names it', async () => {
  const { root, write } = await repository({ kept: 'k' });
  await write({ before: 'b' });
  const { hash: base } = await capture(root, 1);
  await write({ after: 'a' });
  const { events } = await performed(captureActor(), { directory: root, run: 'continued', number: 2, base });
  expect(events).toMatchObject([{ payload: { changed: [{ path: 'after', added: 1, removed: 0 }] } }]);
});
