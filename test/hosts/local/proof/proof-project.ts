import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RunOptions } from '../../../../src/config/options.ts';
import { scriptedModel } from '../../../../src/actors/model/model-script.ts';
import { Loops } from '../../../../src/hosts/local/local-host.ts';
import type { LegsSubject } from '../../../../src/verification/legs-subject.ts';
import { type ProveOptions, proveRun } from '../../../../src/app/proof/prove-run.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { repository } from '../../../git/repository.ts';
import { tool } from '../../../support/stand-ins.ts';
import { copyPackages } from '../../../support/copied-packages.ts';

export type Files = { readonly [path: string]: string };

/** What an agent does to a workspace. */
export interface Work {
  readonly write?: Files;
  readonly remove?: readonly string[];
  /** Run in the workspace, with a shell. */
  readonly shell?: string;
}

export interface ProofProject {
  readonly files: Files;
  /** Written after the commit: what git ignores, such as dependencies. */
  readonly installed?: Files;
  /** Names of packages that this repository has: copied after the commit, with what they need. */
  readonly packages?: readonly string[];
  /** Files of a submodule at `sub`. */
  readonly inner?: Files;
  readonly checks: NonNullable<RunOptions['checks']>;
}

const namespaces = ['--user', '--map-root-user', '--mount', '--pid', '--net', '--ipc', '--fork', 'true'];
/** Whether this machine lets its users build walls. */
export const HAS_WALLS = spawnSync('unshare', namespaces).status === 0;
/** What the proof does where it does not. */
export const WITHOUT_WALLS = { probe: async () => 'namespaces are forbidden here' };
/** Each way of proof that there is on this machine. One run is proven in all: making it takes as long as a proof. */
export const WAYS: readonly { readonly options: Partial<ProveOptions>; readonly walls: 'full' | 'none' }[] = [
  ...(HAS_WALLS ? [{ options: {}, walls: 'full' } as const] : []),
  { options: WITHOUT_WALLS, walls: 'none' },
];

export const succeeds = (command: string, ...words: readonly string[]): boolean =>
  spawnSync(command, words, { stdio: 'ignore' }).status === 0;

const OPTIONS: ProveOptions = {
  protect: [],
  unprotect: [],
  deps: ['node_modules', '.venv'],
  trustsDependencies: false,
  signal: new AbortController().signal,
  onLeg: () => {},
};

/** A project in which an agent has worked, in a run whose checks, in the workspace, said whether it was done. */
export async function worked(
  { files, installed = {}, packages = [], inner, checks }: ProofProject,
  work: Work,
  more: Partial<RunOptions> = {},
) {
  const { root, commit, write, git } = await repository({ '.gitignore': '.loopfold\nnode_modules\n', ...files });
  if (inner) {
    const other = await repository(inner);
    await other.commit();
    await git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.root, 'sub');
  }
  await commit();
  await write(installed);
  await copyPackages(packages, root);
  const one = tool('work', async (_input, { directory }) => {
    await carriedOut(directory, work);
    return { output: '' };
  });
  const answers = [{ calls: [{ tool: 'work', arguments: {} }] }, { text: 'done' }, { text: 'done' }];
  const loops = new Loops({ log: memoryLog(), model: scriptedModel({ answers }), tools: [one] });
  const live = await loops.start({
    prompt: 'x',
    loop: 'turn',
    directory: root,
    checks: [...checks],
    maxSteps: 3,
    checkIn: 'workspace',
    ...more,
    tools: ['work'],
  });
  const done = await live.done;
  const ending = done.kind === 'ended' ? done.outcome.ending : done.kind;
  const proof = async (options: Partial<ProveOptions> = {}) => {
    const found = await proved(loops, live.run, options);
    if (found.kind !== 'proof') throw new Error(JSON.stringify(found));
    return found;
  };
  return { root, git, write, ending, loops, run: live.run, proof };
}

/** The proof of a run, or why there is none. */
export const proved = (loops: Loops, run: string, more: Partial<ProveOptions> = {}) =>
  proveRun(loops, run, { ...OPTIONS, ...more });

async function carriedOut(root: string, { write = {}, remove = [], shell }: Work): Promise<void> {
  for (const path of remove) await rm(join(root, path), { recursive: true });
  for (const [path, text] of Object.entries(write)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  if (shell !== undefined) execFileSync('/bin/sh', ['-c', shell], { cwd: root });
}

/** A subject of a proof that asks for nothing beside its trees. */
export const NOTHING_ASKED = {
  head: null,
  checks: [],
  protect: [],
  unprotect: [],
  deps: [],
  prepare: [],
  homePaths: [],
} satisfies Partial<LegsSubject>;

/** What each check of a proof printed, by its leg. */
export const printedIn = ({ legs }: Awaited<ReturnType<Awaited<ReturnType<typeof worked>>['proof']>>) =>
  legs.map(({ levels }) => levels.flatMap(({ checks }) => checks.map(({ output }) => output)).join('\n'));
