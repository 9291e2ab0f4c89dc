import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { behindWalls, makeLayers } from '../../../../src/actors/proof/walls.ts';
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

/** What a command behind walls says: the folders of the machine that it can write in, and what it sees of the rest. */
async function writable(name = 'workspace') {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'walls-')));
  const [proof, root, objects] = [join(top, 'proof'), join(top, name), join(top, 'objects')];
  const notes = await Promise.all(['/tmp', '/var/tmp', '/dev/shm'].map(note));
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
  const written = 'for d in / /etc /usr /sys /dev .git/borrowed .; do test ! -w "$d" || echo "$d"; done';
  const seen = `for f in '${proof}' ${notes.join(' ')}; do test ! -e "$f" || echo "sees $f"; done`;
  const command = `${written}; ${seen}`;
  const signal = new AbortController().signal;
  const limits = { timeoutMs: 60_000, maxOutputBytes: 4_096, signal };
  const done = await behindWalls(plan)({ run: null, command, directory: proof, ...limits });
  return done.kind === 'exited' ? { status: done.exitCode, output: done.output } : done;
}

/** Nothing but the workspace. */
const SHUT = '.\n';

describe.skipIf(!HAS_WALLS)('V3 the mounts of the machine are read-only behind walls', () => {
  test('V3 one mount table makes all mounts read-only', async () =>
    expect(await writable()).toEqual({ status: 0, output: SHUT }));

  test('V3 a workspace whose name no table can hold is mounted by itself', async () =>
    expect(await writable('a work\\040space')).toEqual({ status: 0, output: SHUT }));

  test('V3 mounts become read-only one by one where mount ignores the table', async () => {
    await mountThat({ '-a': 0 });
    expect(await writable()).toEqual({ status: 0, output: SHUT });
  });

  test('V3 no command runs where a mount stays writable', async () => {
    await mountThat({ '-a': 32, 'remount,bind,ro*': 1 });
    expect(await writable()).toMatchObject({ status: 1, output: '' });
  });
});
