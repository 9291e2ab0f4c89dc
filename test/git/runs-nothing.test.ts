import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { bringChange } from '../../src/git/bring/bring-change.ts';
import { captureFolder } from '../../src/git/capture/capture-folder.ts';
import { treePatch } from '../../src/git/tree-change.ts';
import { keepUncaptured } from '../../src/git/capture/files-not-captured.ts';
import { testInTurn } from '../support/in-turn.ts';
import { RUN } from './captured.ts';
import { git, repository, temporaryFolder } from './repository.ts';

const { signal } = new AbortController();
const AT = '2026-11-23T00:00:00.000Z';
const LATER = { 'a.txt': 'changed\n', 'new.txt': 'new\n', 'sub/s.txt': 'S\n' };

type Trap = (root: string, command: string) => Promise<unknown>;

const attribute = (root: string, line: string) => writeFile(join(root, '.gitattributes'), `* ${line}\n`);
const set = (root: string, name: string, value: string) => git(root, 'config', name, value);
const filter =
  (kind: string, folder = ''): Trap =>
  async (root, command) => {
    await set(join(root, folder), `filter.f.${kind}`, kind === 'process' ? command : `${command}; cat`);
    await attribute(join(root, folder), 'filter=f');
  };
const monitor =
  (folder = ''): Trap =>
  (root, command) =>
    set(join(root, folder), 'core.fsmonitor', `${command}; false`);

/** Ways to have git run a command. */
const TRAPS: Readonly<Record<string, Trap>> = {
  'a clean filter': filter('clean'),
  'a smudge filter': filter('smudge'),
  'a process filter': filter('process'),
  'a filter of a submodule': filter('clean', 'sub'),
  'a process filter of a submodule': filter('process', 'sub'),
  'a monitor': monitor(),
  'a monitor of a submodule': monitor('sub'),
  'a program for differences': async (root, command) => {
    for (const name of ['external', 'f.command', 'f.textconv']) await set(root, `diff.${name}`, command);
    await attribute(root, 'diff=f');
  },
  'a helper of a partial clone': async (root, command) => {
    await set(root, 'extensions.partialClone', 'far');
    await set(root, 'remote.far.promisor', 'true');
    await set(root, 'remote.far.url', root);
    await set(root, 'remote.far.uploadpack', command);
    const lost = (await git(root, 'rev-parse', 'HEAD:lost.txt')).trim();
    await rm(join(root, '.git/objects', lost.slice(0, 2), lost.slice(2)));
    await rm(join(root, 'lost.txt'));
  },
};

async function projectWithSubmodule() {
  const inner = await repository({ 's.txt': 's\n' });
  await inner.commit();
  const made = await repository({ 'a.txt': 'a\n', 'gone.txt': 'gone\n', 'lost.txt': 'lost\n' });
  await made.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub');
  await made.commit();
  return made;
}

testInTurn.each(Object.keys(TRAPS))(
  'G10 %s is run by no capture, no difference and no undo or apply',
  async (name) => {
    // Given a workspace in which an agent has set a trap, and has changed files since
    const { root, write, git } = await projectWithSubmodule();
    const captured = async (number: number | 'end' | null) =>
      (await captureFolder({ directory: root, run: RUN, number, listsChanges: number === null }, signal))?.hash ?? '';
    const start = await captured(0);
    const ran = join(await temporaryFolder(), 'ran');
    await TRAPS[name]?.(root, `echo ran >> '${ran}'`);
    await write(LATER);
    await rm(join(root, 'gone.txt'));
    // When it is captured in every way, its change is shown, taken out and brought again
    await captured(1);
    await captured(null).catch(() => {});
    const end = await captured('end');
    await keepUncaptured({ directory: root, run: RUN, tree: end, since: 0, store: 'memory:' });
    const patch = await text(treePatch({ from: start, to: end, leaveOut: [] }, { directory: root })).catch(String);
    const of = { run: RUN, directory: root, leaveOut: [], store: null, at: AT, isWhole: false };
    await bringChange({ ...of, verb: 'undo', from: end, to: start }, signal).catch(() => {});
    await bringChange({ ...of, verb: 'apply', from: start, to: end }, signal).catch(() => {});
    // Then nothing was run, and the captures have the bytes of the files
    expect(existsSync(ran)).toBe(false);
    expect(patch).not.toBe('');
    for (const [path, content] of [
      ['a.txt', 'changed\n'],
      ['new.txt', 'new\n'],
    ])
      expect(await git('cat-file', 'blob', `${end}:${path}`)).toBe(content);
  },
  60_000,
);
