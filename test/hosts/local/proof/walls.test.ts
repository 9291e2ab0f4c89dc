import { execFileSync } from 'node:child_process';
import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../git/repository.ts';
import { HAS_WALLS, type Files, printedIn, proved, WITHOUT_WALLS, worked } from './proof-project.ts';
import { testInTurn } from '../../../support/in-turn.ts';

/** A project whose check passes in its folder, and shows in the proof what a command sees there. */
const looking = (command: string, files: Files = {}) => ({
  files: { 'check.sh': `${command}\n`, ...files },
  checks: ['L1:sh check.sh'],
});
/** Whether a check runs in a proof: in its folder it is to do nothing. */
const IN_PROOF = '[ -d .git/borrowed ]';
const SPOILING = 'echo x > note.txt; rm -rf node_modules/x; mkdir -p made/locked; chmod 500 made made/locked';
const NOTHING = { write: { 'note.txt': 'done\n' } };

/** Every file below a folder, with its content and its time. */
const stateOf = (root: string): string =>
  execFileSync('find', ['.', '-path', './.loopfold', '-prune', '-o', '-printf', '%p %T@ %m %s\\n'], {
    cwd: root,
    encoding: 'utf8',
  });

function withVariable(name: string, value: string): void {
  const before = process.env[name];
  onTestFinished(() => void (process.env[name] = before));
  process.env[name] = value;
}

const inHome = (home: string): void => withVariable('HOME', home);

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

describe.skipIf(!HAS_WALLS)('V3 behind walls', () => {
  test('V3 they stand also where PATH has no folders of the system, and the check is not given those', async () => {
    const before = process.env['PATH'] ?? '';
    onTestFinished(() => void (process.env['PATH'] = before));
    const { proof } = await worked(looking(`${IN_PROOF} || exit 0\necho "looks in $PATH"`), NOTHING);
    process.env['PATH'] = before
      .split(':')
      .filter((folder) => !folder.endsWith('sbin'))
      .join(':');
    const found = await proof();
    expect(found).toMatchObject({ proven: true, walls: { kind: 'full' } });
    expect(printedIn(found)[0]).toMatch(/looks in (?!.*sbin)/);
  });

  testInTurn('V3 nothing is reached but loopback, and nothing is written outside', async () => {
    const outside = await temporaryFolder();
    const { root, proof } = await worked(
      looking(
        [
          `${IN_PROOF} || exit 0`,
          `touch '${outside}/made' "$HOME/made" /usr/made-by-a-check /tmp/made-by-a-check made 2>&1`,
          'grep -v lo: /proc/net/dev | tail -n +3',
          `node -e "
            const server = require('node:net').createServer().listen(0, '127.0.0.1', () => {
              const said = () => { console.log('loops back'); process.exit(); };
              require('node:net').connect(server.address().port, '127.0.0.1', said);
            });"`,
          'unshare --user --map-root-user --mount umount /tmp 2>/dev/null && echo escaped',
          'true',
        ].join('\n'),
      ),
      NOTHING,
    );
    const found = await proof();
    expect(found).toMatchObject({ proven: true, walls: { kind: 'full' } });
    const [printed = ''] = printedIn(found);
    expect(printed).toContain('loops back');
    expect(printed).not.toMatch(/eth|escaped/);
    expect(await readdir(outside)).toEqual([]);
    expect(await isThere('/usr/made-by-a-check')).toBe(false);
    expect(await isThere('/tmp/made-by-a-check')).toBe(false);
    expect(await isThere(join(root, 'made'))).toBe(false);
  });

  testInTurn('V3 the checkout lies at the path of the workspace, with what was recorded of it alone', async () => {
    const { root, write, git, proof } = await worked(
      looking('pwd; cat note.txt; ls -A; git rev-parse HEAD; git config user.name; git status --porcelain'),
      NOTHING,
    );
    await git('config', 'user.name', 'an agent');
    await write({ 'note.txt': 'edited since\n', 'new.txt': '' });
    const [printed = ''] = printedIn(await proof());
    expect(printed.split('\n')).toEqual([
      root,
      'done',
      '.git',
      '.gitignore',
      'check.sh',
      'note.txt',
      (await git('rev-parse', 'HEAD')).trim(),
      'A  note.txt',
      '',
    ]);
  });

  testInTurn('V3 of the home a check sees the homes of tools alone, also where the workspace lies in it', async () => {
    const home = await temporaryFolder();
    inHome(home);
    await mkdir(join(home, '.cargo/bin'), { recursive: true });
    await writeFile(join(home, '.cargo/bin/tool'), '');
    await writeFile(join(home, '.npmrc'), '');
    const { root, proof } = await worked(
      looking('ls -A "$HOME" "$HOME/.cargo"; touch "$HOME/.cargo/bin/x"; true'),
      NOTHING,
    );
    const [printed = ''] = printedIn(await proof());
    expect(printed).toContain(`${home}:\n.cargo\n\n${home}/.cargo:\nbin\n`);
    expect(printed).toContain('Read-only file system');
    inHome(dirname(root));
    expect(printedIn(await proof())[0]).toContain(`${dirname(root)}:\n${basename(root)}\n`);
  });

  testInTurn('V3 a run in a worktree of its own is proven at the workspace that it was given', async () => {
    const { root, proof } = await worked({ ...looking('pwd'), installed: { 'node_modules/x/index.js': '' } }, NOTHING, {
      isolate: 'worktree',
    });
    const found = await proof();
    expect(found).toMatchObject({ proven: true, dependencies: { given: ['node_modules'], changed: null } });
    expect(printedIn(found)).toEqual([`${root}\n`]);
  });

  testInTurn('V3 what a check leaves running ends with it', async () => {
    const { proof } = await worked(looking(`! ${IN_PROOF} || setsid sleep 86399.125 >/dev/null 2>&1 &`), NOTHING);
    expect(await proof()).toMatchObject({ proven: true });
    const running = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const commands = await Promise.all(running.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
    expect(commands.filter((command) => command.includes('86399.125'))).toEqual([]);
  });

  testInTurn('V3 what one check builds the next one finds, and a report of tests is read', async () => {
    const report = '<testsuite><testcase name="one"><failure message="no"/></testcase></testsuite>';
    const { proof } = await worked(
      {
        files: { 'a.txt': '1\n' },
        checks: ['L0:mkdir -p built && cp a.txt built/', 'L1:cat built/a.txt && [ ! -e node_modules/.cache/x ]'],
        installed: { 'node_modules/.cache/y': '' },
      },
      NOTHING,
    );
    expect(await proof()).toMatchObject({ proven: true });
    const command = `! ${IN_PROOF} || cp r.xml made.xml`;
    const reporting = await worked(
      { files: { 'r.xml': report }, checks: [{ level: 'L1', name: 'tests', command, report: 'made.xml' }] },
      NOTHING,
    );
    expect(await reporting.proof()).toMatchObject({
      proven: false,
      legs: [{ levels: [{ checks: [{ exitCode: 0, tests: { failed: 1 } }] }] }],
    });
  });

  testInTurn('V3 a check that does not end is ended', async () => {
    const { proof } = await worked(
      { files: {}, checks: [{ level: 'L1', name: 'slow', command: `! ${IN_PROOF} || sleep 86398`, timeoutMs: 3_000 }] },
      NOTHING,
    );
    const found = await proof();
    expect(found).toMatchObject({ proven: false });
    expect(printedIn(found)[0]).toMatch(/timed out after 3000 ms$/);
  });
});

describe.for([
  { where: 'behind walls', skipped: !HAS_WALLS, options: {} },
  { where: 'in a copy', skipped: false, options: WITHOUT_WALLS },
])('V3 $where', ({ skipped, options }) => {
  testInTurn.skipIf(skipped)('V3 the workspace is as it was, and nothing is left of the proof', async () => {
    const { root, write, proof } = await worked(
      {
        ...looking(`${IN_PROOF} || exit 0; ${SPOILING}`),
        installed: { 'node_modules/x/index.js': '' },
      },
      NOTHING,
    );
    await write({ 'check.sh': 'edited', 'mine.txt': 'mine' });
    await mkdir(join(root, '.loopfold'), { recursive: true });
    const before = stateOf(root);
    // Of its own: other tests make proofs at the same time.
    const temporary = await temporaryFolder();
    withVariable('TMPDIR', temporary);
    expect(await proof(options)).toMatchObject({ legs: [{ passed: true }] });
    expect(stateOf(root)).toBe(before);
    expect(await readdir(join(root, '.loopfold/proof/node_modules'))).toEqual([]);
    expect((await readdir(temporary)).filter((name) => name.startsWith('loopfold-proof-'))).toEqual([]);
  });

  testInTurn.skipIf(skipped)(
    'V3 dependencies that changed since the run began are no proof, unless they are trusted',
    async () => {
      const { write, proof } = await worked({ ...looking('true'), installed: { 'node_modules/x/a.js': '1' } }, NOTHING);
      expect(await proof(options)).toMatchObject({
        proven: true,
        dependencies: { given: ['node_modules'], changed: [] },
      });
      await write({ 'node_modules/x/a.js': '2' });
      expect(await proof(options)).toMatchObject({
        proven: false,
        doubts: ['dependencies'],
        dependencies: { changed: ['node_modules/x/a.js'] },
      });
      expect(await proof({ ...options, trustsDependencies: true })).toMatchObject({ proven: true });
    },
  );

  testInTurn.skipIf(skipped)('V3 a folder of dependencies whose place a link has taken is not given', async () => {
    const outside = await temporaryFolder();
    const { proof, root } = await worked(
      { ...looking('true'), installed: { 'packages/node_modules/x.js': '' } },
      { shell: `rm -r packages; ln -s '${outside}' packages` },
    );
    execFileSync('/bin/sh', ['-c', 'rm packages; mkdir -p packages/node_modules; touch packages/node_modules/x.js'], {
      cwd: root,
    });
    expect(await proof(options)).toMatchObject({ dependencies: { given: [] } });
    expect(await readdir(outside)).toEqual([]);
  });

  test.skipIf(skipped)('V3 a run without checks, or one that is not known, has nothing to prove', async () => {
    const { loops, run } = await worked({ files: { a: '' }, checks: [] }, NOTHING);
    expect(await proved(loops, run, options)).toMatchObject({ kind: 'no_capture', message: /without checks/ });
    expect(await proved(loops, 'none', options)).toMatchObject({ kind: 'unknown_run' });
  });
});

describe('V3 in a copy', () => {
  test('V3 what leads back into the workspace is named, and is no proof', async () => {
    const { root, write, proof } = await worked(
      { ...looking('true'), installed: { 'node_modules/plain/a.js': '1' } },
      NOTHING,
    );
    expect(await proof(WITHOUT_WALLS)).toMatchObject({
      proven: true,
      walls: { kind: 'none', because: 'namespaces are forbidden here' },
      pointers: [],
    });
    await mkdir(join(root, 'node_modules/.bin'));
    execFileSync('ln', ['-s', join(root, 'pkg'), join(root, 'node_modules/linked')]);
    execFileSync('ln', ['-s', '../plain/a.js', join(root, 'node_modules/.bin/inside')]);
    await write({
      'node_modules/.bin/tool': `#!${root}/.venv/bin/python\n`,
      'node_modules/lib/x.pth': root,
      'node_modules/lib/direct_url.json': `{"url":"file://${root}"}`,
    });
    const { doubts, pointers } = await proof({ ...WITHOUT_WALLS, trustsDependencies: true });
    expect(doubts).toEqual(['pointers-home']);
    expect(pointers.toSorted()).toEqual([
      'node_modules/.bin/tool',
      'node_modules/lib/direct_url.json',
      'node_modules/lib/x.pth',
      'node_modules/linked',
    ]);
  });

  testInTurn('V3 it is elsewhere, so that nothing above it is found', async () => {
    const { root, proof } = await worked(looking('pwd'), NOTHING);
    const found = await proof(WITHOUT_WALLS);
    expect(printedIn(found)[0]).not.toContain(root);
  });
});
