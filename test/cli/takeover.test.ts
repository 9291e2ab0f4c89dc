import { existsSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { isKnownDead, thisProcess } from '../../src/log/holder.ts';
import { LEASE_TTL_MS } from '../../src/log/lease-store.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { testInTurn } from '../support/in-turn.ts';
import { loopfold, Program, project } from './program.ts';

const MODEL = ['-m', 'script:model.json'];
/** Prints a line every 50 ms into a file, and says which process does. */
const writing = 'while :; do echo $$ >> lines.txt; sleep 0.05; done';
const script = { answers: [{ calls: [{ tool: 'shell', arguments: { command: writing } }] }, { text: 'done' }] };
const lines = (cwd: string) => readFileSync(`${cwd}/lines.txt`, 'utf8').split('\n').length;

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await delay(50);
}

/** A project with a run that waits for an answer. */
async function waiting(): Promise<string> {
  const question = { tool: 'ask_user', arguments: { question: 'Which?', choices: [] } };
  const cwd = await project({ answers: [{ calls: [question] }, { text: 'done' }] }, {}, false);
  expect((await loopfold(['run', ...MODEL, '--loop', 'turn', 'Do it.'], { cwd })).status).toBe(EXIT.waiting);
  return cwd;
}

testInTurn('a process that was stopped longer than its lease is ended before its run is taken over', async () => {
  const cwd = await project(script, {}, false);
  const first = new Program(['run', ...MODEL, '--loop', 'turn', 'Do it.'], { cwd });
  onTestFinished(() => void first.signal('SIGKILL'));
  await until(() => existsSync(`${cwd}/lines.txt`));
  first.signal('SIGSTOP');
  await delay(LEASE_TTL_MS + 1_000);
  const before = lines(cwd);
  expect(before).toBeGreaterThan(10);

  const { status, stderr } = await loopfold(['resume'], { cwd });
  expect({ status, stderr }).toMatchObject({ status: EXIT.success });
  const after = lines(cwd);
  first.signal('SIGCONT');
  expect((await first.ended).status).toBeNull();
  await delay(500);
  expect(lines(cwd)).toBe(after);
});

test('a process elsewhere cannot be ended: a person has to say that it is gone', { timeout: 60_000 }, async () => {
  const cwd = await waiting();
  let now = Date.now() - 2 * LEASE_TTL_MS;
  const log = openSqliteLog(`${cwd}/.loopfold/log.db`, { now: () => now });
  const [record] = await log.runs();
  const there = { ...thisProcess(), host: 'far.away' };
  expect(isKnownDead(there)).toBe(false);
  expect(await log.acquire(String(record?.run), there)).toMatchObject({ kind: 'leased' });
  now = Date.now();
  await log.close();

  const refused = await loopfold(['resume'], { cwd });
  expect(refused.status).toBe(EXIT.held);
  expect(refused.stderr).toContain('it ran elsewhere (far.away)');
  expect(refused.stderr).toContain('--take-over');
  const ways = /it ran elsewhere \(far\.away\).*\nTry: .* resume [0-9a-f]{8} --take-over$/m;
  for (const words of [
    ['answer', '--last', 'This one'],
    ['steer', '--last', 'More.'],
    ['pause', '--last'],
    ['abort', '--last'],
  ])
    expect(await loopfold(words, { cwd })).toMatchObject({ status: EXIT.held, stderr: expect.stringMatching(ways) });
  expect((await loopfold(['resume', '--take-over'], { cwd })).status).toBe(EXIT.waiting);
});

testInTurn('a lease that was edited to last for centuries keeps no process from a run, and is named', async () => {
  const cwd = await waiting();
  const db = new DatabaseSync(`${cwd}/.loopfold/log.db`);
  const there = JSON.stringify({ ...thisProcess(), host: 'far.away' });
  db.prepare('UPDATE leases SET holder = ?, expires_at = 9000000000000').run(there);
  db.close();
  const warning =
    /^warning: leases, tree \S+: it ends at 2255-03-14T16:00:00\.000Z, .* `loopfold resume \S+ --take-over`/m;

  const checked = await loopfold(['check'], { cwd });
  expect(checked).toMatchObject({ status: EXIT.log, stderr: expect.stringMatching(warning) });
  expect(checked.stdout).toMatch(/^damaged  leases, tree \S+: it ends at 2255-03-14T16:00:00\.000Z/m);
  const ways = expect.stringMatching(/it ran elsewhere \(far\.away\).*--take-over/s);
  expect(await loopfold(['abort', '--last'], { cwd })).toMatchObject({ status: EXIT.held, stderr: ways });
  expect(await loopfold(['resume'], { cwd })).toMatchObject({ status: EXIT.held, stderr: ways });
  expect((await loopfold(['resume', '--take-over'], { cwd })).status).toBe(EXIT.waiting);
  expect(await loopfold(['check'], { cwd })).toMatchObject({ status: 0, stderr: '' });
  expect((await loopfold(['abort', '--last'], { cwd })).status).toBe(0);
});
