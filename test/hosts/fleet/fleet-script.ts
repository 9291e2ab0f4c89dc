import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Script } from '../../../src/actors/model/script.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import type { Log } from '../../../src/log/log.ts';
import { folder, Program, project } from '../../cli/program.ts';

/** A command that is to be done once: it writes which run it belongs to, and takes long enough to be killed in. */
const script = (effects: string): Script => ({
  answers: [
    { calls: [{ tool: 'shell', arguments: { command: `echo "$LOOPFOLD_COMMAND" >> '${effects}'; sleep 0.1` } }] },
    { text: 'done' },
  ],
});

const RUNS = 5;
const WORDS = ['--until-idle', '-m', 'script:model.json', '--loop', 'turn', '--tools', 'shell'] as const;

/** Resolves when a run has admitted its calls: its command is about to begin, or under way. */
async function admitted(log: Log, run: string): Promise<void> {
  const over = new AbortController();
  for await (const { type } of log.follow(run, { signal: over.signal })) if (type === 'calls.admitted') over.abort();
}

async function typesOf(log: Log, run: string): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const page of log.pages(run)) types.push(...page.map(({ type }) => type));
  return types;
}

/**
 * Runs are submitted, one worker is killed in the middle of a command, and one is told to drain; two more work on.
 * Every run ends, and no command is done twice.
 */
export async function fleetScript(address: string, open: () => Promise<Log>): Promise<void> {
  const effects = join(await folder(), 'effects.txt');
  const env = { RUNS_DB: address };
  const at = ['--log', address.startsWith('sqlite:') ? address : 'env:RUNS_DB'];
  const worker = async () => new Program(['work', ...at, ...WORDS], { cwd: await project(script(effects)), env });
  const cwd = await folder();
  const killed = (await new Program(['submit', ...at, 'Task 0'], { cwd, env }).ended).stdout.trim();
  expect(killed).toMatch(/^[\da-f-]{36}$/);
  const log = await open();
  onTestFinished(() => log.close());
  const victim = await worker();
  await admitted(log, killed);
  victim.signal('SIGKILL');
  await victim.ended;
  const loops = new Loops({ log, holds: null });
  const others: string[] = [];
  for (let n = 1; n < RUNS; n += 1) others.push((await loops.submit({ prompt: `Task ${n}` })).run);
  const draining = await worker();
  await draining.shows('begun');
  draining.signal('SIGTERM');
  expect(await draining.ended).toMatchObject({ status: 0, stderr: expect.not.stringMatching(/trouble/) });
  const workers = await Promise.all([worker(), worker()]);
  for (const { ended } of workers)
    expect(await ended).toMatchObject({ status: 0, stderr: expect.not.stringMatching(/trouble/) });
  expect(await log.submissions()).toEqual([]);
  for (const run of [killed, ...others]) expect(await log.run(run)).toMatchObject({ closed: 'success' });
  expect(await typesOf(log, killed)).toContain('tool.interrupted');
  const marks = (await readFile(effects, 'utf8')).trim().split('\n');
  for (const run of [killed, ...others])
    expect(marks.filter((mark) => mark.includes(`@${run};`)).length).toBeLessThanOrEqual(1);
  for (const run of [killed, ...others]) expect(await log.verify(run)).toMatchObject({ kind: 'intact' });
}
