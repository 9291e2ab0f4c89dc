import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { behindWalls, makeLayers } from '../../../../src/actors/proof/walls.ts';
import { walledCommand } from '../../../../src/actors/proof/walls-script.ts';
import { quotedAll } from '../../../../src/text/shell-words.ts';
import { HAS_WALLS } from './proof-project.ts';

/** A `mount` before the system's own, which ends with this status where one of its words fits a pattern. */
async function mountThat(cases: Readonly<Record<string, number>>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mount-'));
  const arms = Object.entries(cases).map(([pattern, status]) => `${pattern}) exit ${status} ;;`);
  const real = 'exec $(PATH=${PATH#*:} command -v mount) "$@"';
  const script = `#!/bin/sh\nfor word; do case "$word" in ${arms.join(' ')} esac; done\n${real}\n`;
  await writeFile(join(folder, 'mount'), script);
  await chmod(join(folder, 'mount'), 0o755);
  vi.stubEnv('PATH', [folder, process.env['PATH']].join(delimiter));
}

/** Makes a folder among temporary files, which no command is to see. */
async function note(folder: string): Promise<string> {
  const made = await mkdtemp(join(folder, 'walls-'));
  onTestFinished(() => rm(made, { recursive: true }));
  return made;
}

/** The surroundings of a check in a workspace of that name. */
async function planned(name: string) {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'walls-')));
  const [proof, root, objects] = [join(top, 'proof'), join(top, name), join(top, 'objects')];
  for (const folder of [join(proof, 'mirror/.git/borrowed'), root, objects]) await mkdir(folder, { recursive: true });
  const plan = {
    proof,
    layers: 'leg',
    root,
    inside: '',
    home: '',
    objects,
    node: dirname(process.execPath),
    user: process.getuid?.() ?? 0,
    group: process.getgid?.() ?? 0,
    homePaths: [],
    caches: [],
    dependencies: [],
  };
  await makeLayers(plan);
  return plan;
}

/** What a command behind walls says: the folders of the machine that it can write in, and what it sees of the rest. */
async function writable(name = 'workspace', isByLink = false) {
  const plan = await planned(name);
  const proof = isByLink ? `${plan.proof}-link` : plan.proof;
  if (isByLink) await symlink(plan.proof, proof);
  const notes = await Promise.all(['/tmp', '/var/tmp', '/dev/shm'].map(note));
  const written = 'for d in / /etc /usr /sys /dev .git/borrowed .; do test ! -w "$d" || echo "$d"; done';
  const seen = `for f in '${proof}' ${notes.join(' ')}; do test ! -e "$f" || echo "sees $f"; done`;
  const command = `${written}; ${seen}`;
  const signal = new AbortController().signal;
  const limits = { timeoutMs: 60_000, maxOutputBytes: 4_096, signal };
  const done = await behindWalls({ ...plan, proof })({ run: null, command, directory: proof, ...limits });
  return done.kind === 'exited' ? { status: done.exitCode, output: done.output } : done;
}

/** What a command behind walls says of the last of further mounts of a machine, in a folder that it can see. */
async function besideMounts(within: (place: string) => readonly string[]): Promise<string> {
  const plan = await planned('workspace');
  // A folder that every machine has, and that walls do not cover.
  const place = '/mnt';
  const mounts = within(place);
  const made = mounts.map((one) => `mkdir -p ${quotedAll([one])}; mount -t tmpfs tmpfs ${quotedAll([one])}`);
  const file = quotedAll([join(mounts.at(-1) ?? place, 'x')]);
  const command = `if touch ${file} 2>&-; then echo open; else echo is shut; fi`;
  const walled = walledCommand(plan, command, false);
  const script = [
    'set -e',
    `mount -t tmpfs tmpfs ${place}`,
    `cd ${quotedAll([plan.proof])}`,
    ...made,
    `exec 2>&1; ${walled}`,
  ].join('\n');
  return execFileSync('unshare', ['-Urm', 'sh', '-c', script], { encoding: 'utf8' });
}

/** Nothing but the workspace. */
const SHUT = '.\n';

describe.skipIf(!HAS_WALLS)('V3 the mounts of the machine are read-only behind walls', () => {
  test('V3 one mount table makes all mounts read-only', async () =>
    expect(await writable()).toEqual({ status: 0, output: SHUT }));

  test('V3 a workspace whose name no table can hold is mounted by itself', async () =>
    expect(await writable('a work\\040space')).toEqual({ status: 0, output: SHUT }));

  test('V3 a link to the place of a proof leaves no mount open', async () =>
    expect(await writable('workspace', true)).toEqual({ status: 0, output: SHUT }));

  test('V3 mounts become read-only one by one where mount ignores the table', async () => {
    await mountThat({ '-a': 0 });
    expect(await writable()).toEqual({ status: 0, output: SHUT });
  });

  test.each(['a disk', 'a\\040disk', 'a disk\n'])('V3 a mount of the machine at %j is read-only', async (name) => {
    expect(await besideMounts((place) => [join(place, name)])).toBe('is shut\n');
  });

  test('V3 a mount of the machine that another one covers is passed over', async () => {
    expect(await besideMounts((place) => [join(place, 'a/b'), join(place, 'a')])).toBe('is shut\n');
  });

  test('V3 no command runs where a mount stays writable', async () => {
    await mountThat({ '-a': 32, 'remount,bind,ro*': 1 });
    expect(await writable()).toMatchObject({ status: 1, output: '' });
  });
});
