import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** In everything that no tool may show: contents and names outside the workspace, and what is off limits in it. */
export const MARKER = 'NOBODY-MAY-SEE-THIS';

export interface Trap {
  readonly base: string;
  /** A workspace with a way out of every kind. */
  readonly directory: string;
  readonly outside: string;
  /** Puts the workspace up again as it was. */
  readonly reset: () => void;
  /** Of everything that no tool may change: differs after any change, also one that was undone. */
  readonly untouched: () => string;
}

/** Where syncing costs nothing, if there is such a place. */
const ROOM = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export function trap(): Trap {
  const base = realpathSync(mkdtempSync(join(ROOM, 'trap-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const outside = join(base, 'outside');
  const directory = join(base, 'work');
  const marked = (...folders: string[]) => {
    mkdirSync(join(...folders), { recursive: true });
    for (const name of ['a.txt', 'config', `${MARKER}.txt`]) writeFileSync(join(...folders, name), `${MARKER} old\n`);
  };
  marked(outside);
  marked(outside, 'sub');
  marked(base, 'work-beside');
  const protectedFolders = ['.git', '.loopfold', '.GIT', '.gi\u200ct', '.git.', 'sub/.git', 'git~1'];
  const reset = () => {
    rmSync(directory, { recursive: true, force: true });
    fill(directory, outside);
    for (const folder of protectedFolders) marked(directory, folder);
  };
  reset();
  const untouched = () =>
    [outside, join(base, 'work-beside'), ...protectedFolders.map((folder) => join(directory, folder))]
      .flatMap((folder) => [folder, ...readdirSync(folder).map((name) => join(folder, name))])
      .map(stampOf)
      .concat(readdirSync(base).join())
      .join('\n');
  return { base, directory, outside, reset, untouched };
}

function fill(directory: string, outside: string): void {
  mkdirSync(join(directory, 'sub/deep'), { recursive: true });
  for (const file of FILES) writeFileSync(join(directory, file), 'inside old\n');
  for (const [name, target] of Object.entries(links(directory, outside))) symlinkSync(target, join(directory, name));
  execFileSync('/bin/sh', ['-c', 'mkfifo pipe; mknod device c 1 3 2>/dev/null || mkfifo device'], { cwd: directory });
}

const links = (directory: string, outside: string) => ({
  out: outside,
  'sub/out': '../../outside',
  'to-file': join(outside, 'a.txt'),
  up: '..',
  root: '/',
  proc: '/proc/self',
  dev: '/dev',
  zero: '/dev/zero',
  nowhere: join(outside, 'not-yet'),
  'nowhere-near': '../outside/not-yet/a.txt',
  chain: 'out',
  circle: 'circle',
  records: '.git',
  'sub/records': '../.loopfold',
  inside: 'sub',
  self: directory,
});

/** The plain files that the workspace begins with. */
export const FILES = ['a.txt', 'sub/a.txt', 'sub/deep/a.txt'];

export const NAMES = [
  'a.txt',
  'config',
  'sub',
  'deep',
  'new',
  'pipe',
  'device',
  'outside',
  'work-beside',
  'work',
  'etc',
  'fd',
  'cwd',
  '1',
  ...Object.keys(links('', '')).flatMap((name) => name.split('/')),
];

/** A socket that never answers, in the workspace, for as long as the test lasts. */
export async function listenIn(directory: string, name: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(join(directory, name), resolve));
  onTestFinished(() => void server.close());
}

function stampOf(path: string): string {
  const { ino, mode, nlink, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
  return [path, ino, mode, nlink, size, mtimeNs, ctimeNs].join(' ');
}
