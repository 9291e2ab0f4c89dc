import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { quotedAll } from '../../src/text/shell-words.ts';
import { absent } from '../support/absent.ts';
import { processesWith } from '../support/processes-with.ts';
import { testInTurn } from '../support/in-turn.ts';
import { environment, loopfold, MAIN, project } from './program.ts';

const AGENT = join(import.meta.dirname, '../agents/fake-agent.process.ts');
const GROUPS = 10;
const KILLS = 50;
/** From its start until its agent has begun a command. */
const LATEST_MS = 5_000;
/** What an agent leaves is gone by then after a resumption. */
const GONE_MS = 5_000;
/** The command of the agent would have ended by then. */
const COMMAND_MS = 7_000;

/** Kills the program while its agent works, and resumes the run. */
async function killedAfter(ms: number): Promise<void> {
  const word = absent('agent');
  const cwd = await project({ answers: [] });
  const agent = `acp:${quotedAll([process.execPath, AGENT, 'lingers', word])}`;
  const words = ['run', '--agent', agent, '--verify', 'test -f hello.txt', '--accept', 'weak', 'Write hello.txt.'];
  const child = spawn(process.execPath, [MAIN, ...words], { cwd, env: environment(), stdio: 'ignore' });
  await delay(ms);
  const hadStarted = existsSync(join(cwd, 'started.txt'));
  child.kill('SIGKILL');
  const killedAt = performance.now();
  // The agent that comes next does its work, even where this one was killed before it had begun.
  writeFileSync(join(cwd, 'started.txt'), '');
  await once(child, 'exit');
  const { status } = await loopfold(['resume', '--last'], { cwd });
  if (hadStarted) expect(status).toBe(0);
  await expect.poll(() => processesWith(word), { timeout: GONE_MS }).toEqual([]);
  await delay(Math.max(0, COMMAND_MS - (performance.now() - killedAt)));
  expect(existsSync(join(cwd, 'late.txt'))).toBe(false);
}

test('X5 a kill in the middle leaves no process of an agent after a resumption, and no file later', () =>
  killedAfter(LATEST_MS / 2));

for (let group = 0; group < GROUPS; group += 1) {
  testInTurn(
    `X5 a kill leaves no process of an agent after a resumption, and no file later, group ${group}`,
    async () => {
      const count = KILLS / GROUPS;
      const moments = Array.from({ length: count }, (_, index) => (LATEST_MS * (group + GROUPS * index + 1)) / KILLS);
      for (const ms of moments) await killedAfter(ms);
    },
  );
}
