import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { loopsOf, turn } from '../bench/turns.ts';
import { testInTurn } from '../support/in-turn.ts';
import { folder } from './program.ts';
import { loopfold } from './warm-process.ts';

const STEPS = 60;

/** A run whose states were stored on the way. */
async function long() {
  const cwd = await folder();
  await mkdir(join(cwd, '.loopfold'));
  const path = join(cwd, '.loopfold/log.db');
  const log = openSqliteLog(path);
  const run = await turn(loopsOf(log, STEPS), STEPS, cwd);
  const stored = await log.latestSnapshot(run);
  await log.close();
  return { cwd, path, run, version: stored?.version ?? 0 };
}

function edit(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  const { changes } = database.prepare(sql).run();
  database.close();
  expect(Number(changes)).toBeGreaterThan(0);
}

testInTurn.each([
  ['what the run has spent', `UPDATE snapshots SET state = replace(state, '"inputTokens":', '"inputTokens":9')`],
  ['an outstanding effect', `UPDATE snapshots SET state = replace(state, '"attempt":1', '"attempt":7')`],
])('a stored state that was edited is not used, and that is said: %s', async (_, sql) => {
  const { cwd, path, run, version } = await long();
  expect(version).toBeGreaterThanOrEqual(200);
  const before = await loopfold(['rebuild', run, '--json', '--at', String(version)], { cwd });
  expect([before.status, before.stderr]).toEqual([0, '']);
  expect((await loopfold(['check'], { cwd })).status).toBe(0);

  edit(path, sql);
  const after = await loopfold(['rebuild', run, '--json', '--at', String(version)], { cwd });
  expect(JSON.parse(after.stdout)).toEqual(JSON.parse(before.stdout));
  const said = `run ${run}: the state that is stored for version ${version} is not the one that was stored`;
  expect(after.stderr).toContain(`warning: ${said}`);
  const checked = await loopfold(['check', run], { cwd });
  expect(checked.status).toBe(7);
  expect(checked.stdout).toMatch(new RegExp(`damaged .* version ${version}: its stored state is not the one`));
});

const WITHOUT_DIGEST = `UPDATE events SET mark = rtrim(rtrim(mark, '0123456789abcdef'), '#') WHERE mark LIKE '%#%#%'`;

testInTurn.each([
  ['another count of what the run has spent', `replace(state, '"inputTokens":', '"inputTokens":9')`],
  ['no state at all', `'{}'`],
])('a stored state that no event vouches for is not used, and `check` names it: %s', async (_, state) => {
  const { cwd, path, run, version } = await long();
  const words = ['rebuild', run, '--json', '--at', String(version)];
  const before = await loopfold(words, { cwd });

  edit(path, WITHOUT_DIGEST);
  edit(path, `UPDATE snapshots SET state = ${state}`);
  const after = await loopfold(words, { cwd });
  expect(JSON.parse(after.stdout)).toEqual(JSON.parse(before.stdout));
  const checked = await loopfold(['check', run], { cwd });
  expect([checked.status, checked.stderr]).toEqual([7, '']);
  expect(checked.stdout).toMatch(new RegExp(`differs .* from version ${version} on`));
});
