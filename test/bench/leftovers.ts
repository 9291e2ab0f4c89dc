import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedModel } from '../../src/actors/model/model-script.ts';
import { git } from '../../src/git/process/git.ts';
import { collectGarbage } from '../../src/app/isolation/garbage.ts';
import { GONE_CAPTURES_KEPT_MS } from '../../src/app/isolation/forgotten-captures.ts';
import { Loops } from '../../src/hosts/local/local-host.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { type Figure, repeated } from './measure.ts';

const RUNS = 100;
/** So many of them work at once. */
const AT_ONCE = 4;
const ASKED_FOR = 'asked-for';
const AUTHOR = ['user.name=bench', 'user.email=bench@localhost', 'gc.auto=0'];

/** What isolated runs in one repository leave after `gc`, but for a branch that a person has asked for. */
export async function leftoverFigures(): Promise<readonly Figure[]> {
  const [left] = await repeated(1, measured);
  return Object.entries(left ?? {}).map(([name, value]) => ({
    name: `${name} left by ${RUNS} runs`,
    value,
    unit: '',
    bound: { atMost: 0 },
  }));
}

async function measured(folder: string) {
  const directory = join(folder, 'project');
  await makeProject(directory);
  const store = join(folder, 'log.db');
  const log = openSqliteLog(store);
  const loops = new Loops({
    log,
    holds: join(folder, 'holds.db'),
    warn: () => {},
    model: scriptedModel({ answers: [{ calls: [WRITE] }, { text: 'done' }] }),
  });
  const runs: string[] = [];
  for (let begun = 0; begun < RUNS; begun += AT_ONCE) {
    const some = await Promise.all(Array.from({ length: AT_ONCE }, () => ended(loops, directory)));
    runs.push(...some);
  }
  const [first = ''] = runs;
  const made = await loops.branch(first, ASKED_FOR);
  if (made.kind !== 'made') throw new Error(made.kind);
  const before = await objectsOfRuns(directory);
  if (before === 0) throw new Error('the runs have kept no object: there is nothing to measure');
  // Another log is in the place of theirs. Captures of runs that their log does not have are kept for a while.
  await log.close();
  for (const path of [store, `${store}.heads`]) rmSync(path, { recursive: true });
  await openSqliteLog(store).close();
  await collectGarbage(null, directory, { now: Date.now() + GONE_CAPTURES_KEPT_MS + 60_000 });
  await git(['prune', '--expire=now'], { directory });
  const branches = (await lines(['for-each-ref', '--format=%(refname:short)', 'refs/heads'], directory)).filter(
    (name) => name !== 'main' && name !== ASKED_FOR,
  );
  return {
    'worktrees and records': readdirSync(join(directory, '.loopfold/worktrees')).length,
    'worktrees of git': (await lines(['worktree', 'list'], directory)).length - 1,
    branches: branches.length,
    captures: (await lines(['for-each-ref', 'refs/loopfold'], directory)).length,
    objects: await objectsOfRuns(directory),
    drafts: readdirSync(directory, { recursive: true }).filter((name) => String(name).endsWith('.draft')).length,
  };
}

/** Each run makes a file of its own, and commits it to a branch, in its worktree. */
const WRITE = {
  tool: 'shell',
  arguments: {
    command:
      'echo "$PWD" > made.txt && git checkout -q -b mine && git add . && git commit -q -m mine && echo x >> made.txt',
  },
};

async function ended(loops: Loops, directory: string): Promise<string> {
  const { run, done } = await loops.start({ prompt: 'Do it.', loop: 'turn', directory, isolate: 'worktree' });
  const end = await done;
  if (end.kind !== 'ended' || end.outcome.ending !== 'success') throw new Error(JSON.stringify(end));
  return run;
}

/** Objects that only runs can have made: those that no branch has. */
async function objectsOfRuns(directory: string): Promise<number> {
  const all = await lines(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)'], directory);
  const ofBranches = new Set(await lines(['rev-list', '--objects', '--no-object-names', '--branches'], directory));
  return all.filter((name) => !ofBranches.has(name)).length;
}

async function lines(args: readonly string[], directory: string): Promise<readonly string[]> {
  return new TextDecoder()
    .decode(await git(args, { directory }))
    .split('\n')
    .filter((line) => line !== '');
}

async function makeProject(directory: string): Promise<void> {
  mkdirSync(join(directory, 'src'), { recursive: true });
  for (let index = 0; index < 20; index += 1) writeFileSync(join(directory, 'src', `${index}.ts`), `export {};\n`);
  writeFileSync(join(directory, '.gitignore'), '.loopfold/\n');
  await git(['init', '--quiet', '--initial-branch=main'], { directory });
  for (const setting of AUTHOR) await git(['config', ...setting.split('=')], { directory });
  await git(['add', '--all'], { directory });
  await git(['commit', '--quiet', '--message', 'a project'], { directory });
}
