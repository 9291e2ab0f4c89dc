import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execa } from 'execa';
import { v7 as uuidv7 } from 'uuid';
import type { Check } from '../../machines/settings.ts';
import { dropMirrors } from '../../src/actors/proof/mirror.ts';
import { captureFolder } from '../../src/git/capture/capture-folder.ts';
import { git } from '../../src/git/process/git.ts';
import { type OriginRepository, originRepository } from '../../src/git/worktree/origin-repository.ts';
import { bringTo, givePrivateGit, proofRepository } from '../../src/git/worktree/proof-repository.ts';
import { takenBaseline } from '../../src/verification/baseline-of-check.ts';
import { verifiedWork } from '../../src/verification/verify-in-proof.ts';
import { type Figure, median, repeated, wallSeconds } from './measure.ts';

const FILES = 10_000;
const CHANGED = 10;
const DEPENDENCIES = 15_000;
/** Of pairs. The machine may have other work: a median of many is what stays. */
const ROUNDS = 15;
const FIRST_ROUNDS = 5;
const ALLOWED_MS = 300;
const AUTHOR = ['user.name=bench', 'user.email=bench@localhost', 'gc.auto=0'];
const run = promisify(execFile);
const signal = new AbortController().signal;

/** Fails, so that nothing is measured but what every attempt pays; a success pays for its proof once. */
const CHECK: Check = { level: 'L1', name: 'check', command: 'exit 1', timeoutMs: 60_000 };

interface Round {
  readonly status: number;
  readonly capture: number;
  readonly oldCapture: number;
  readonly verification: number;
}

/** What an attempt pays for being proven, beside its checks, and how that compares with what git does anyway. */
export async function proofFigures(): Promise<readonly Figure[]> {
  const [found] = await repeated(1, async (folder) => {
    const directory = join(folder, 'project');
    await makeProject(directory);
    return { rounds: await attempts(directory), first: await checkouts(directory, folder) };
  });
  const { rounds = [], first = [] } = found ?? {};
  const of = (value: (round: Round) => number) => median(rounds.map(value));
  const allowed = ({ status }: Round) => 2 * status + ALLOWED_MS / 1_000;
  const ratio = median(first.map(({ ours, gits }) => ours / gits));
  return [
    { name: 'load of the machine, of 1', value: (loadavg()[0] ?? 0) / 2, unit: '', bound: null },
    { name: 'git status of 10,000 files', value: of(({ status }) => status) * 1_000, unit: 'ms', bound: null },
    { name: 'a capture, 10 files changed', value: of(({ capture }) => capture) * 1_000, unit: 'ms', bound: null },
    {
      name: 'of a fresh index, and git add --all',
      value: of(({ capture, oldCapture }) => capture / oldCapture),
      unit: '',
      bound: { atMost: 0.6 },
    },
    {
      name: 'a verification beside its check',
      value: of(({ verification }) => verification) * 1_000,
      unit: 'ms',
      bound: null,
    },
    {
      name: 'both, of two git status and 300 ms',
      value: of((round) => (round.capture + round.verification) / allowed(round)),
      unit: '',
      bound: { atMost: 1 },
    },
    { name: 'the first checkout', value: median(first.map(({ ours }) => ours)) * 1_000, unit: 'ms', bound: null },
    { name: 'times git checkout-index', value: ratio, unit: '', bound: { atMost: 1.5 } },
  ];
}

async function attempts(directory: string): Promise<readonly Round[]> {
  const name = uuidv7();
  const began = new Date();
  const captured = async (number: number) => {
    const found = await captureFolder({ directory, run: name, number, listsChanges: true }, signal);
    if (!found) throw new Error('the project is not in git');
    return found.hash;
  };
  const base = await captured(0);
  const origin = await originOf(directory);
  const subject = (work: string) => ({ ...subjectIn(origin, directory, began), base, work });
  const how = { run: name, keptFor: name, checks: [CHECK], environment: [], signal, delta: () => {} };
  const baseline = await takenBaseline(subject(base), how);
  if (!baseline) throw new Error('the baseline was stopped');
  const rounds: Round[] = [];
  // The first warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    change(directory, round);
    const status = await wallSeconds(() => run('git', ['status', '--porcelain'], { cwd: directory }));
    let tree = '';
    const ours = async () => (tree = await captured(round + 1));
    const olds = () => capturedAnew(directory, name, round + 1);
    // Whichever is second finds the changed files in the objects, and in memory: each is so in every other round.
    const early = round % 2 === 0 ? await wallSeconds(ours) : null;
    const oldCapture = await wallSeconds(olds);
    const capture = early ?? (await wallSeconds(ours));
    const verification = await wallSeconds(() =>
      verifiedWork(subject(tree), {
        ...how,
        baseline,
        uncaptured: [],
        captureAgain: async () => tree,
        heldOut: undefined,
        dispute: { disputes: { count: 0, ruling: null }, canAsk: false },
        verdicts: new Map(),
        unsteadyBefore: 0,
      }),
    );
    rounds.push({ status, capture, oldCapture, verification });
  }
  await dropMirrors(name);
  return rounds.slice(1);
}

const OLD_SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.safecrlf=false',
  'core.sparseCheckout=true',
  'core.splitIndex=false',
  'core.logAllRefUpdates=false',
];

/**
 * A capture as it was until 2026-11-22: into a fresh copy of the user's index, by the user's git, with all that its
 * attributes and configuration name. Each git was started by this process.
 */
async function capturedAnew(directory: string, name: string, number: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loopfold-bench-index-'));
  const index = join(folder, 'index');
  const call = async (args: readonly string[], env: NodeJS.ProcessEnv = { GIT_INDEX_FILE: index }) =>
    (await execa('git', ['-C', directory, ...OLD_SETTINGS.flatMap((one) => ['-c', one]), ...args], { env })).stdout;
  const own = await call(['rev-parse', '--path-format=absolute', '--git-path', 'index'], {});
  const written = Math.floor(statSync(own).mtimeMs / 1_000);
  copyFileSync(own, index);
  utimesSync(index, written, written);
  await call(['ls-files', '-v', '-z']);
  const leftOut = ['.loopfold', '.loopfold/**'].map((pattern) => `:(top,exclude,glob)**/${pattern}`);
  await call(['add', '--all', '--sparse', '--ignore-errors', '--', ':/', ...leftOut]);
  const removed = [':(top,glob)**/.loopfold', ':(top,glob)**/.loopfold/**'];
  await call(['rm', '-r', '--quiet', '--cached', '--sparse', '--ignore-unmatch', '--', ...removed]);
  const tree = await call(['write-tree']);
  const before = await call(['rev-parse', '--verify', '--quiet', 'HEAD^{tree}']);
  await call(['diff-tree', '-r', '-z', '--numstat', '--no-renames', before, tree, '--', ':/', ...leftOut]);
  await call(['update-ref', `refs/loopfold/${name}-old/${number}`, tree]);
  rmSync(folder, { recursive: true });
}

interface Checkout {
  readonly ours: number;
  readonly gits: number;
}

/** Nothing is removed between the rounds, for the reason in worktrees.ts. */
async function checkouts(directory: string, folder: string): Promise<readonly Checkout[]> {
  const origin = await originOf(directory);
  const tree = (await run('git', ['rev-parse', 'HEAD^{tree}'], { cwd: directory })).stdout.trim();
  const measured: Checkout[] = [];
  for (let round = 0; round <= FIRST_ROUNDS; round += 1) {
    const to = join(folder, `first-${round}`);
    mkdirSync(to);
    const ours = async () => {
      const call = await proofRepository(to, origin);
      await bringTo(tree, call, null);
      await givePrivateGit(call, origin, { head: null, borrowed: '../borrowed' });
    };
    const prefix = `--prefix=${join(folder, `git-${round}`)}/`;
    const gits = () => run('git', ['checkout-index', '--all', '--force', prefix], { cwd: directory });
    const early = round % 2 === 0 ? await wallSeconds(ours) : null;
    const theirs = await wallSeconds(gits);
    measured.push({ gits: theirs, ours: early ?? (await wallSeconds(ours)) });
  }
  return measured.slice(1);
}

async function originOf(directory: string): Promise<OriginRepository> {
  const origin = await originRepository(directory);
  if (!origin) throw new Error(`${directory} is in no git work tree`);
  return origin;
}

const subjectIn = (origin: OriginRepository, root: string, since: Date) => ({
  origin,
  head: null,
  checks: [CHECK],
  protect: [],
  unprotect: [],
  deps: ['node_modules'],
  provided: { root, files: [] },
  prepare: [],
  homePaths: [],
  since,
});

const pathOf = (index: number) => `src/${index % 200}/${index}.ts`;

function change(directory: string, round: number): void {
  for (let one = 0; one < CHANGED; one += 1) {
    writeFileSync(join(directory, pathOf(one * 997 + round)), `export const changed = ${round};\n`);
  }
}

async function makeProject(directory: string): Promise<void> {
  write(FILES, (index) => join(directory, pathOf(index)));
  write(DEPENDENCIES, (index) => join(directory, `node_modules/package-${index % 500}/lib`, `${index}.js`));
  writeFileSync(join(directory, '.gitignore'), 'node_modules/\n.loopfold/\n');
  await git(['init', '--quiet'], { directory });
  await git(['add', '--all'], { directory });
  await git(['commit', '--quiet', '--message', 'a project'], { directory, settings: AUTHOR });
}

function write(count: number, at: (index: number) => string): void {
  for (let index = 0; index < count; index += 1) {
    const path = at(index);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `export const value${index} = ${index};\n`.repeat(20 + (index % 50)));
  }
}
