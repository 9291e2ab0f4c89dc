import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt, defineLoop, roundSettings } from 'loopfold';
import { IterationEvent } from 'loopfold/machines';
import { expect, test } from 'vitest';
import { collectGarbage } from '../../../src/app/isolation/garbage.ts';
import { GONE_CAPTURES_KEPT_MS } from '../../../src/app/isolation/forgotten-captures.ts';
import { runRefs } from '../../../src/git/run-refs.ts';
import { openSqliteLog } from '../../../src/log/sqlite/engine.ts';
import { repository, temporaryFolder } from '../../git/repository.ts';
import { iterationCalled } from '../../support/iteration-called.ts';
import { emptied, working } from './isolation/isolated.ts';

/** Each round of it is a loop of attempts, with captures of its own. */
const outer = defineLoop({
  machine: iterationCalled('outer'),
  events: IterationEvent,
  effects: { runAgent: { ...attempt, opens: (of) => roundSettings(of, { loop: 'iteration', maxIterations: 1 }) } },
});

/** A project that ignores a file, and a run in it below which a loop makes git ignore nothing. */
async function ran() {
  const made = await repository({ '.gitignore': 'secret.txt', 'a.txt': '1' });
  await made.commit();
  await made.write({ 'secret.txt': 'secret', 'mine.txt': 'not committed' });
  const path = join(await temporaryFolder(), 'log.db');
  const log = openSqliteLog(path);
  const work = async ({ directory }: { directory: string }) => {
    await writeFile(join(directory, '.gitignore'), '');
    return '';
  };
  const { start } = working(work, { log, loops: [outer] });
  const live = await start({ directory: made.root, loop: 'outer', checks: ['true'] });
  expect(await live.done).toMatchObject({ outcome: { ending: 'success' } });
  const inGit = await made.git('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/loopfold/');
  const children = [...new Set(inGit.split('\n').map((ref) => ref.split('/')[0] ?? ''))].filter(
    (run) => run !== '' && run !== live.run,
  );
  await log.close();
  return { ...made, path, run: live.run, children };
}

test('G10 captures of a child go by what git ignored when the run at the top began', async () => {
  const { root, run, children, filesOf } = await ran();
  const ofRoot = await runRefs(run, { directory: root });
  expect(children).toHaveLength(1);
  const ofChild = await runRefs(children[0] ?? '', { directory: root });
  expect([ofChild.get('0'), ofChild.get('rules')]).toEqual([ofRoot.get('0'), ofRoot.get('rules')]);
  expect(await filesOf(`refs/loopfold/${children[0]}/1`)).toEqual({
    '.gitignore': '',
    'a.txt': '1',
    'mine.txt': 'not committed',
  });
});

test('X4 captures of a child that the log does not have are removed after a week', async () => {
  const { root, path, run, children } = await ran();
  const now = Date.now() + GONE_CAPTURES_KEPT_MS + 60_000;
  expect(await collectGarbage(null, root, { now })).toMatchObject({ forgotten: [], unknown: [] });
  await emptied(path);
  expect(await collectGarbage(null, root, { now })).toMatchObject({ forgotten: [run, ...children].toSorted() });
  expect(await runRefs(children[0] ?? '', { directory: root })).toEqual(new Map());
});
