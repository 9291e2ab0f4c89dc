import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { git, repository } from '../git/repository.ts';
import { NODE_TESTS } from '../support/node-tests.ts';
import { testInTurn } from '../support/in-turn.ts';
import { environment, loopfold, MAIN } from './program.ts';

const SUM = {
  '.gitignore': '.loopfold\n',
  'sum.mjs': 'export const sum = (a, b) => a - b;\n',
  'sum.test.mjs': [
    "import { test } from 'node:test';",
    "import assert from 'node:assert';",
    "import { sum } from './sum.mjs';",
    "test('adds', () => assert.equal(sum(1, 2), 3));",
    '',
  ].join('\n'),
};
/** Two agents that take a second, the second of which writes more lines than it has to. */
const AGENTS = [
  String.raw`cmd:sleep 1; sed -i 's/a - b/a + b/' sum.mjs`,
  String.raw`cmd:sleep 1; sed -i 's/a - b/a + b/; s/$/\n\n/' sum.mjs`,
];
const KILLS = 8;
/** From the start of a contest until it is over, where nothing else is at work. */
const CONTEST_MS = 12_000;

/** Kills the program while its attempts compete, and resumes the run. */
async function killedAfter(ms: number): Promise<void> {
  const { root, commit } = await repository(SUM);
  await commit();
  const flags = ['--attempts', '2', '--max-iterations', '1', '--verify', NODE_TESTS, '--sandbox', 'off'];
  const words = ['run', ...AGENTS.flatMap((agent) => ['--agent', agent]), ...flags, 'Make the tests pass.'];
  const child = spawn(process.execPath, [MAIN, ...words], { cwd: root, env: environment(), stdio: 'ignore' });
  const ended = once(child, 'exit');
  await delay(ms);
  child.kill('SIGKILL');
  await ended;
  const { stdout: listed } = await loopfold(['runs', '--json'], { cwd: root });
  const hasBegun = listed.includes('contest');
  const { status, stdout, stderr } = await loopfold(['resume', '--last'], { cwd: root });
  if (!hasBegun) return;
  if (status !== 0) throw new Error(stdout + stderr);
  // Which of them wins: an attempt that the kill has cut off may have been its agent's last.
  expect(readFileSync(join(root, 'sum.mjs'), 'utf8')).toMatch(/^export const sum = \(a, b\) => a \+ b;\n{1,3}$/);
  expect(await git(root, 'status', '--porcelain')).toBe(' M sum.mjs\n');
  const worktrees = join(root, '.loopfold', 'worktrees');
  expect(readdirSync(worktrees, { withFileTypes: true }).filter((entry) => entry.isDirectory())).toEqual([]);
}

test('X6 a contest that is killed while its attempts work goes on, and its winner is brought once', () =>
  killedAfter(CONTEST_MS / 2));

for (let kill = 0; kill < KILLS; kill += 1) {
  testInTurn(`X6 a contest goes on after a kill at eighth ${kill} of its time, and its winner is brought once`, () =>
    killedAfter((CONTEST_MS * (kill + 1)) / KILLS),
  );
}
