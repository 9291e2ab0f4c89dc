import { execFileSync, spawnSync } from 'node:child_process';
import { access, lstat, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { dropMirrors } from '../../../../src/actors/proof/mirror.ts';
import { isUntimed } from '../../../../src/actors/proof/time-faults.ts';
import { scriptedModel } from '../../../../src/actors/model/model-script.ts';
import { originRepository } from '../../../../src/git/worktree/origin-repository.ts';
import type { LegsSubject } from '../../../../src/verification/legs-subject.ts';
import { inProof } from '../../../../src/verification/prepare-legs.ts';
import { ranTree } from '../../../../src/verification/check-tree.ts';
import type { Check } from '../../../../machines/settings.ts';
import { Loops } from '../../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { tool } from '../../../support/stand-ins.ts';
import { repository } from '../../../git/repository.ts';
import { HAS_WALLS, NOTHING_ASKED } from './proof-project.ts';

const RUN = 'a-run';
/** All that a check can see of its checkout: names, modes, contents, and what git would go by. */
const LOOK = `find . -path ./.git/objects -prune -o -path ./.git/index -prune -o -printf '%p %m %l\\n' | sort
  find . -path ./.git -prune -o -type f -exec cat {} +; cat .git/config; git status --porcelain`;
const LOOKING: Check = { level: 'L0', name: 'look', command: LOOK, timeoutMs: 60_000 };
const signal = new AbortController().signal;

async function project(more: Readonly<Record<string, string>> = {}) {
  const { root, git, write, commit } = await repository({
    '.gitignore': '.loopfold\n',
    'a.txt': 'first\n',
    'sub/b.txt': 'sub\n',
    'sub/c.txt': 'stays\n',
    ...more,
  });
  await commit();
  const base = (await git('rev-parse', 'HEAD^{tree}')).trim();
  await write({ 'a.txt': 'later\n', 'new.txt': 'new\n' });
  await git('add', '--all');
  const work = (await git('write-tree')).trim();
  const origin = await originRepository(root);
  if (!origin) throw new Error('no repository');
  const subject: LegsSubject = {
    origin,
    base,
    work,
    ...NOTHING_ASKED,
    provided: { root, files: [] },
    since: new Date(0),
  };
  const look = async (tree: string, keptFor: string | undefined = RUN) =>
    inProof(subject, { signal, keptFor }, async (legs) => {
      const how = { run: RUN, checks: [LOOKING], environment: [], signal, delta: () => {} };
      const ran = await ranTree('base', tree, legs, how);
      return ran?.checks.map(({ output }) => output).join('\n');
    });
  const proofs = join(root, '.loopfold/proof/node_modules');
  const folder = async () => {
    const [name = ''] = await readdir(proofs);
    return join(proofs, name);
  };
  return { base, work, look, proofs, folder, write, root };
}

const run = (command: string, cwd: string): void => void execFileSync('sh', ['-ec', command], { cwd, stdio: 'pipe' });

/** What a process of the user does in the folder of a proof, between two verifications. */
const TAMPERINGS: Readonly<Record<string, string>> = {
  'content that is swapped, its time put back':
    'cp -p mirror/sub/c.txt time; printf "swaps\\n" > mirror/sub/c.txt; touch -r time mirror/sub/c.txt; rm time',
  'a file more': 'echo x > mirror/more.txt; touch -d 2001-01-01 mirror/more.txt mirror',
  'a file that is gone': 'rm mirror/sub/c.txt',
  'a folder that was made before': 'mv mirror/sub mirror/gone; mv ../../made mirror/sub; rm -r mirror/gone',
  'a link in place of a file': 'ln -sf /etc/hostname mirror/sub/c.txt',
  'a mode': 'chmod 755 mirror/sub/c.txt; chmod 644 mirror/sub/b.txt',
  'a checkout in place of ours': 'cp -a mirror other; echo x > other/sub/c.txt; rm -r mirror; mv other mirror',
  'an index': 'cp index other; mv other index; echo x > mirror/sub/c.txt',
  'a hook':
    'mkdir -p mirror/.git/hooks git/hooks; echo x > mirror/.git/hooks/post-checkout; ' +
    'printf "#!/bin/sh\\ntouch $PWD/../../hooked\\n" > git/hooks/post-index-change; chmod +x git/hooks/*',
  attributes:
    'mkdir -p git/info mirror/.git/info; echo "* eol=crlf" | tee git/info/attributes mirror/.git/info/attributes',
  'a repository': 'mkdir -p git; echo "[core]" > git/config; mkdir mirror/.git/extra',
  'a layer': 'mkdir -p base/tree/upper; echo x > base/tree/upper/layered.txt; echo x > base/tree/upper/a.txt',
};

describe.skipIf(!HAS_WALLS)('V3 a checkout that is kept', () => {
  afterAll(() => dropMirrors(RUN));

  test('V3 serves the next proof of the run, and goes with the run', async () => {
    const { base, work, look, folder, proofs } = await project();
    expect(await look(base)).toContain('first');
    const before = await lstat(join(await folder(), 'mirror'));
    const seen = await look(work);
    expect(seen).toContain('later');
    expect(seen).toContain('./new.txt');
    // Where no time tells a change, it is made anew.
    const isSame = (await lstat(join(await folder(), 'mirror'))).ino === before.ino;
    expect(isSame).toBe(!(await isUntimed(proofs)));
    expect((await readdir(await folder())).toSorted()).toEqual(['index', 'mirror']);
    // What is at the tree already is not checked out again.
    const index = await lstat(join(await folder(), 'index'), { bigint: true });
    expect(await look(work)).toBe(seen);
    const after = await lstat(join(await folder(), 'index'), { bigint: true });
    expect(after.ctimeNs === index.ctimeNs).toBe(isSame);
    await dropMirrors(RUN);
    expect(await readdir(proofs)).toEqual([]);
  });

  test('V3 a checkout of many files is removed with the run', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`many/${at % 9}/${at}.txt`, `${at}\n`]));
    const { base, look, folder, proofs } = await project(many);
    await look(base);
    await access(join(await folder(), 'mirror/many/8/998.txt'));
    await dropMirrors(RUN);
    expect(await readdir(proofs)).toEqual([]);
  });

  test('V3 it is there between the attempts of a run, and not after it', async () => {
    const seen: (readonly string[])[] = [];
    const { root, commit } = await repository({ '.gitignore': '.loopfold\n', 'check.sh': 'grep -q 2 a.txt\n' });
    await commit();
    const proofs = join(root, '.loopfold/proof/node_modules');
    const one = tool('work', async () => {
      seen.push(await readdir(proofs));
      await writeFile(join(root, 'a.txt'), `${seen.length}\n`);
      return { output: '' };
    });
    const call = { calls: [{ tool: 'work', arguments: {} }] };
    const answers = [call, { text: 'done' }, call, { text: 'done' }];
    const loops = new Loops({ log: memoryLog(), model: scriptedModel({ answers }), tools: [one] });
    const checks = ['L1:sh check.sh'];
    const live = await loops.start({ prompt: 'x', directory: root, checks, tools: ['work'], maxIterations: 2 });
    expect(await live.done).toMatchObject({ outcome: { ending: 'success' } });
    expect(seen[0]).toHaveLength(2);
    expect(seen[1]).toEqual(seen[0]);
    expect(await readdir(proofs)).toEqual([]);
  });

  test('V3 test runners that are started in the workspace do not find its tests', async () => {
    const { look, base, folder, root } = await project({ 'sub/a.test.js': '', 'package.json': '{}' });
    await look(base);
    await access(join(await folder(), 'mirror/sub/a.test.js'));
    for (const runner of ['jest --listTests', 'vitest list --filesOnly']) {
      const [name = '', ...flags] = runner.split(' ');
      const { stdout } = spawnSync(resolve('node_modules/.bin', name), flags, { cwd: root, encoding: 'utf8' });
      const found = stdout.split('\n').filter((line) => line.endsWith('sub/a.test.js'));
      expect([name, found.map((path) => path.includes('.loopfold'))]).toEqual([name, [false]]);
    }
  });

  test('V3 a success during whose checks it was changed does not count', async () => {
    const { root, commit } = await repository({
      '.gitignore': '.loopfold\n',
      'check.sh': 'grep -q 2 a.txt && sleep 1\n',
    });
    await commit();
    const proofs = join(root, '.loopfold/proof/node_modules');
    const one = tool('work', async () => {
      await writeFile(join(root, 'a.txt'), '2\n');
      return { output: '' };
    });
    const answers = [{ calls: [{ tool: 'work', arguments: {} }] }, { text: 'done' }];
    const log = memoryLog();
    const loops = new Loops({ log, model: scriptedModel({ answers }), tools: [one] });
    const checks = ['L1:sh check.sh'];
    const live = await loops.start({ prompt: 'x', directory: root, checks, tools: ['work'], maxIterations: 1 });
    const change = async () => {
      const [name = ''] = await readdir(proofs);
      // Made when the checkout is: the check begins.
      const isThere = await access(join(proofs, name, 'base/told')).then(
        () => true,
        () => false,
      );
      if (isThere) await writeFile(join(proofs, name, 'mirror/more.txt'), '');
      return isThere;
    };
    await expect.poll(change, { timeout: 30_000, interval: 20 }).toBe(true);
    expect(await live.done).not.toMatchObject({ outcome: { ending: 'success' } });
    const outputs: string[] = [];
    for await (const { type, payload } of log.read(live.run)) {
      if (type === 'verification.completed') outputs.push(JSON.stringify(payload));
    }
    expect(outputs).toEqual([expect.stringContaining('have changed while they were checked')]);
  });

  test('V3 whatever was changed in it meanwhile, checks see the tree', async () => {
    const { base, work, look, folder, proofs, write } = await project();
    // From before the checkout: none of its times tells that it was put there later.
    await write({ '.loopfold/proof/made/b.txt': 'made\n', '.loopfold/proof/made/c.txt': 'made\n' });
    const expected = { [base]: await look(base), [work]: await look(work) };
    for (const [what, command] of Object.entries(TAMPERINGS)) {
      const at = await folder();
      run(command, at);
      for (const tree of [work, base]) expect([what, await look(tree)]).toEqual([what, expected[tree]]);
    }
    expect(await readdir(join(proofs, '..'))).not.toContain('hooked');
    // A folder from before, in place of ours.
    const [at, other] = [await folder(), join(proofs, '../other')];
    run(`cp -a ${at} ${other}; echo x > ${other}/mirror/more.txt`, at);
    for (const tree of [work, base]) expect(await look(tree)).toBe(expected[tree]);
    run(`mv ${at} ${at}-gone; mv ${other} ${at}`, proofs);
    expect(await look(base)).toBe(expected[base]);
  });
});
