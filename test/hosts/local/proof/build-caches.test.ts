import { appendFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { isUntimed } from '../../../../src/actors/proof/time-faults.ts';
import { originRepository } from '../../../../src/git/worktree/origin-repository.ts';
import { repository } from '../../../git/repository.ts';
import type { LegsSubject } from '../../../../src/verification/legs-subject.ts';
import { inProof, type PreparedLegs } from '../../../../src/verification/prepare-legs.ts';
import { ranTree } from '../../../../src/verification/check-tree.ts';
import { HAS_WALLS, NOTHING_ASKED } from './proof-project.ts';

const signal = new AbortController().signal;
/** Times tell what has changed there, as they do not in memory. */
const timed = await mkdtemp(resolve('node_modules/.build-caches-'));
const isTimed = !(await isUntimed(timed));

/** A project with such a marker of a build tool, and a home of its own. */
async function project(marker: string, more: Partial<LegsSubject> = {}) {
  vi.stubEnv('TMPDIR', timed);
  const { root, git, commit } = await repository({ '.gitignore': '.loopfold\ntarget\n', [marker]: '' });
  await commit();
  const tree = (await git('rev-parse', 'HEAD^{tree}')).trim();
  const origin = await originRepository(root);
  if (!origin) throw new Error('no repository');
  const home = await mkdtemp(join(timed, 'home-'));
  vi.stubEnv('HOME', home);
  const subject: LegsSubject = {
    origin,
    base: tree,
    work: tree,
    ...NOTHING_ASKED,
    provided: { root, files: [] },
    since: new Date(),
    ...more,
  };
  /** The output of a command in a leg. */
  const told = async (legs: PreparedLegs, leg: string, command: string) => {
    const check = { level: 'L0', name: 'build', command, timeoutMs: 60_000 } as const;
    const ran = await ranTree(leg, tree, legs, {
      run: 'a-run',
      checks: [check],
      environment: [],
      signal,
      delta: () => {},
    });
    return ran?.checks.map(({ output }) => output).join('\n');
  };
  return { root, home, subject, told };
}

beforeEach(() => void vi.unstubAllEnvs());
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(timed, { recursive: true, force: true });
});

describe.skipIf(!HAS_WALLS || !isTimed)('given a project whose tool keeps what it builds', () => {
  test('V16 the cache of the person is not given: an earlier run may have written to it', async () => {
    const { home, subject, told } = await project('go.mod');
    const cache = join(home, '.cache/go-build');
    await mkdir(cache, { recursive: true });
    await writeFile(join(cache, 'forged'), 'true\n');
    const seen = await inProof(subject, { signal }, (legs) =>
      told(legs, 'base', 'ls -A ~/.cache/go-build; echo 1 > ~/.cache/go-build/own'),
    );
    expect(seen).toBe('');
    expect(await readdir(cache)).toEqual(['forged']);
  });

  test('V16 what the start has built is there in each later leg, and what such a leg builds is not', async () => {
    const { subject, told } = await project('Cargo.toml');
    const command = (leg: string) => `mkdir -p target && echo ${leg} >> target/log && cat target/log`;
    const seen = await inProof(subject, { signal }, async (legs) => {
      const start = await told(legs, 'start', command('start'));
      await legs.keepBuilt('start');
      return [start, await told(legs, 'base', command('base')), await told(legs, 'work', command('work'))];
    });
    expect(seen).toEqual(['start\n', 'start\nbase\n', 'start\nwork\n']);
  });

  test('V16 what the start has built is dropped once another process has written to it', async () => {
    const { root, subject, told } = await project('Cargo.toml');
    const seen = await inProof(subject, { signal }, async (legs) => {
      await told(legs, 'start', 'echo start > target/log');
      await legs.keepBuilt('start');
      const [proof = ''] = await readdir(join(root, '.loopfold/proof/node_modules'));
      await appendFile(join(root, '.loopfold/proof/node_modules', proof, 'filled/0/log'), 'forged\n');
      return told(legs, 'base', 'ls -A target');
    });
    expect(seen).toBe('');
  });

  test('V17 the CPU time of all checks of a proof is known', async () => {
    const { subject, told } = await project('Makefile');
    const spent = await inProof(subject, { signal }, async (legs) => {
      await told(legs, 'base', 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done');
      return legs.cpuMs();
    });
    expect(spent).toBeGreaterThan(50);
  });
});
