import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { worktreesOf } from '../hosts/local/isolation/isolated.ts';
import { repository } from '../git/repository.ts';
import { bundled, compileCache, YOUNG_GENERATION } from '../support/bundled.ts';
import { history } from '../support/run-history.ts';
import { takesTurn } from '../support/in-turn.ts';
import { tenthOf } from '../support/tenth.ts';
import type { Kill } from './killing.ts';

const PLAYING = bundled('test/simulation/improving.process.ts');
const FILES = {
  '.gitignore': '.loopfold\n',
  'kept.txt': 'it stays\n',
  'list.js': '// TODO: list must be sorted (see list.test.js)\n',
  'sum.js': '// TODO: sum must add (see sum.test.js)\n',
};

async function theatre(atOnce = 1) {
  const repo = await repository(FILES);
  await repo.git('config', 'user.name', 'Grace');
  await repo.git('config', 'user.email', 'grace@example.org');
  await repo.commit();
  await mkdir(join(repo.root, '.loopfold'));
  const before = await repo.untouched();
  /** Null: it was killed. */
  const play = async (kill: Kill | null = null): Promise<number | null> => {
    const env = { ...process.env, ...compileCache };
    const words = [...YOUNG_GENERATION, PLAYING, repo.root, JSON.stringify(kill), String(atOnce)];
    const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [[code, signal], said, complaints] = await Promise.all([
      once(child, 'close'),
      text(child.stdout),
      text(child.stderr),
    ]);
    if (signal === 'SIGKILL') return null;
    if (code !== 0) throw new Error(`the process ended with ${code ?? signal}: ${complaints}`);
    return Number(said);
  };
  /** What counts in the end, and what no kill may change. */
  const end = async () => {
    const log = openSqliteLog(join(repo.root, '.loopfold/log.db'));
    try {
      const [{ run = '' } = {}] = (await log.runs()).filter(({ parentEffect }) => parentEffect === null);
      const facts = await history(log, run);
      const of = (type: LoopEvent['type']) => facts.filter((fact) => fact.type === type).length;
      const branch = `loopfold/${run}`;
      const { heads, ...present } = await repo.untouched();
      return {
        ending: facts
          .flatMap((fact) => (fact.type === 'decision.made' ? [fact.payload.sink?.ending ?? ''] : []))
          .at(-1),
        iterations: of('iteration.started'),
        kept: of('integration.completed'),
        approved: of('integration.approved'),
        refused: facts.flatMap((fact) =>
          fact.type === 'evaluation.completed' && !fact.payload.passed ? [fact.payload.tier] : [],
        ),
        commits: (await repo.git('log', '--format=%s', `HEAD..${branch}`)).trim().split('\n'),
        list: await repo.git('show', `${branch}:list.js`),
        isUntouched: heads.replace(/.*loopfold\/.*\n/, '') === before.heads && present.status === before.status,
        mine: await readFile(join(repo.root, 'list.js'), 'utf8'),
        worktrees: await worktreesOf(repo.root),
        known: (await repo.git('worktree', 'list', '--porcelain')).match(/^worktree /gm)?.length,
        isIntact: (await log.verify(run)).kind,
      };
    } finally {
      await log.close();
    }
  };
  return { play, end };
}

/** When each phase has begun, and when its result was about to be recorded. */
const KILLS: readonly (readonly [phase: string, begins: LoopEvent['type'], ends: LoopEvent['type']])[] = [
  ['discovering', 'iteration.started', 'discovery.completed'],
  ['filtering', 'discovery.completed', 'filter.completed'],
  ['planning', 'experiment.started', 'plans.written'],
  ['preparing', 'plans.written', 'experiment.prepared'],
  ['building', 'experiment.prepared', 'child.settled'],
  ['evaluating', 'child.settled', 'evaluation.completed'],
  ['awaitingPerson', 'evaluation.completed', 'integration.approved'],
  ['integrating', 'integration.approved', 'integration.completed'],
];
const points = KILLS.flatMap(([phase, begins, ends]) => [
  { phase, kill: { when: 'after', append: 1, from: begins } as const },
  { phase, kill: { when: 'before', append: 1, from: ends } as const },
]);

const undisturbed = {
  ending: 'success',
  iterations: 3,
  kept: 1,
  approved: 1,
  refused: ['L1'],
  commits: ['TODO: list must be sorted (see list.test.js)'],
  list: 'sorted\n',
  isUntouched: true,
  mine: FILES['list.js'],
  worktrees: [],
  known: 1,
  isIntact: 'intact',
};

test('I1 I3 I7 in one process, a right change is kept once a person approves, and a wrong one is refused', async () => {
  const { play, end } = await theatre();
  expect(await play()).not.toBeNull();
  expect(await end()).toEqual(undisturbed);
});

test.each(tenthOf(points))(
  'I3 I7 I8 kill -9 while $phase ($kill.when $kill.from): it ends as without, keeps once, leaves nothing',
  async ({ kill }) => {
    const { play, end } = await theatre();
    expect(await play(kill)).toBeNull();
    expect(await play()).not.toBeNull();
    expect(await end()).toEqual(undisturbed);
  },
);

test.each(takesTurn('two experiments at once') ? tenthOf(points) : [])(
  'I3 two experiments at once, and kill -9 while $phase ($kill.when $kill.from): it ends the same, and leaves nothing',
  async ({ kill }) => {
    const { play, end } = await theatre(2);
    expect(await play(kill)).toBeNull();
    expect(await play()).not.toBeNull();
    expect(await end()).toEqual(undisturbed);
  },
);
