import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { git } from '../../src/git/process/git.ts';
import { DEPENDENCY_FOLDERS } from '../../src/options/defaults.ts';
import { resolveSettings } from '../../src/config/resolve.ts';
import { inItsWorktree } from '../../src/app/isolation/isolate-run.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { type Figure, median, repeated, wallSeconds } from './measure.ts';

const FILES = 10_000;
const DEPENDENCIES = 5_000;
/** Of pairs. */
const ROUNDS = 5;
const AUTHOR = ['user.name=bench', 'user.email=bench@localhost', 'gc.auto=0'];

/**
 * The worktree of a run, with its dependencies, beside a worktree of git, without them, of the same tree.
 *
 * Nothing is removed between the rounds: a file system that avoids numbers of files removed a moment ago, as ext4
 * without a journal does, would take many times as long for whichever is measured next.
 */
export async function worktreeFigures(): Promise<readonly Figure[]> {
  const [rounds = []] = await repeated(1, async (folder) => {
    const directory = join(folder, 'project');
    await makeProject(directory);
    const gits = (round: number) => git(['worktree', 'add', '--detach', join(folder, `git-${round}`)], { directory });
    const measured: Round[] = [];
    // The first warms up.
    for (let round = 0; round <= ROUNDS; round += 1) measured.push(await pair(round, gits, () => isolated(directory)));
    return measured.slice(1);
  });
  const ours = median(rounds.map((round) => round.ours));
  const gits = median(rounds.map((round) => round.gits));
  const ratio = median(rounds.map((round) => round.ours / round.gits));
  return [
    { name: 'git worktree add of 10,000 files', value: gits * 1_000, unit: 'ms', bound: null },
    { name: 'a worktree of a run, with 5,000 files beside', value: ours * 1_000, unit: 'ms', bound: null },
    { name: 'times git worktree add', value: ratio, unit: '', bound: { atMost: 1.5 } },
  ];
}

interface Round {
  readonly ours: number;
  readonly gits: number;
}

/** Each goes first in every other round: what one leaves to be written to the disk is in the way of the next. */
async function pair(
  round: number,
  makeGits: (round: number) => Promise<unknown>,
  makeOurs: () => Promise<unknown>,
): Promise<Round> {
  const early = round % 2 === 0 ? await wallSeconds(makeOurs) : null;
  const gits = await wallSeconds(() => makeGits(round));
  return { gits, ours: early ?? (await wallSeconds(makeOurs)) };
}

async function isolated(directory: string): Promise<void> {
  const resolved = resolveSettings({ prompt: 'Do it.', directory });
  if (resolved.kind === 'refused') throw new Error(JSON.stringify(resolved.faults));
  const isolation = { dependencies: DEPENDENCY_FOLDERS, from: 'files' } as const;
  await inItsWorktree({ log: memoryLog() }, uuidv7(), { ...resolved, isolated: isolation });
}

async function makeProject(directory: string): Promise<void> {
  write(FILES, (index) => join(directory, `src/${index % 200}`, `${index}.ts`));
  write(DEPENDENCIES, (index) => join(directory, `node_modules/package-${index % 250}/lib`, `${index}.js`));
  writeFileSync(join(directory, '.gitignore'), 'node_modules/\n.loopfold/\n');
  await git(['init', '--quiet'], { directory });
  await git(['add', '--all'], { directory });
  await git(['commit', '--quiet', '--message', 'a project'], { directory, settings: AUTHOR });
  writeFileSync(join(directory, 'src/new.ts'), 'export {};\n');
}

function write(count: number, pathOf: (index: number) => string): void {
  for (let index = 0; index < count; index += 1) {
    const path = pathOf(index);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `export const value${index} = ${index};\n`.repeat(20 + (index % 50)));
  }
}
