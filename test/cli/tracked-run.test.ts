import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { logNight } from '../loops/improvement/logged-night.ts';
import { sampleNight } from '../loops/improvement/sample-night.ts';
import { MODEL, project } from './program.ts';
import { loopfold } from './warm-process.ts';

let cwd = '';
const night = '019abcde-0000-7000-8000-00000000feed';

beforeAll(async () => {
  cwd = await project({ attempts: [{ answers: [{ text: 'done' }] }] });
  await loopfold(['run', 'say it', '--loop', 'turn', ...MODEL], { cwd });
  await mkdir(join(cwd, '.loopfold'), { recursive: true });
  const log = openSqliteLog(join(cwd, '.loopfold', 'log.db'));
  await logNight(log, night, sampleNight({ settings: { directory: cwd } }));
  await log.close();
});

/** What says who writes pages now. */
const PAGE = '--html: expected no page of a report alone: export RUN --as html writes it with its run';

test('I11 events --tracker prints the phases of a run and their costs, one JSON object a line', async () => {
  const { status, stdout } = await loopfold(['events', night, '--tracker'], { cwd });
  expect(status).toBe(0);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events[0]).toMatchObject({ type: 'loop_started', iteration: 0, phase: 'orchestration', cost: 0 });
  const completed = events.filter(({ type }) => type === 'iteration_completed');
  expect(completed.map(({ metadata }) => metadata.resultType)).toEqual(['improvement-found', 'error', 'no-candidates']);
  expect(completed.map(({ cost }) => cost)).toEqual([164_700, 39_300, 700]);
  expect(events.at(-1)).toEqual({
    type: 'loop_completed',
    iteration: 3,
    phase: 'orchestration',
    cost: 204_700,
    success: true,
    metadata: { totalIterations: 3, improvements: 1 },
  });
});

test('I11 events --tracker refuses a run whose loop has no phases, and says which loop has', async () => {
  const { stdout: runs } = await loopfold(['runs', '--json'], { cwd });
  const other = JSON.parse(runs).find(({ run }: { run: string }) => run !== night);
  const { status, stdout, stderr } = await loopfold(['events', other.run, '--tracker'], { cwd });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('--tracker: expected a run of the loop improvement, found one of the loop turn');
});

test('I8 show has a row for each iteration, and says what became of each candidate', async () => {
  const { status, stdout } = await loopfold(['show', night], { cwd });
  expect(status).toBe(0);
  expect(stdout).toMatch(/iteration +experiment +took/);
  expect(stdout).toMatch(/iteration 1 +2 candidates, 3 below the minimum of relevance\n/);
  expect(stdout).toMatch(/iteration 1 +failing-tests-2b refused by L1\/unit: Test "adds a month" passed before/);
  expect(stdout).toMatch(/iteration 1 +benchmarks-1a kept: commit c0ffeebenc on loopfold\/night\n/);
  expect(stdout).toMatch(/iteration 3 +0 candidates, 1 below the minimum of relevance\n/);
  expect(stdout).toMatch(/spent +\d+ steps, \d+ tool calls, 204,700 tokens, \$0\.0474/);
});

test('I8 improve --report prints the newest report, and a page of it comes with that of its run', async () => {
  const { status, stdout, stderr } = await loopfold(['improve', '--report'], { cwd });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(new RegExp(`^# Improvements by run ${night}\n`));
  expect(stdout).toContain('| 1 | Benchmark parse is above 40 ms | benchmarks | - | weak |');
});

test('I8 improve --report says what it cannot report on, and starts nothing', async () => {
  const { stdout } = await loopfold(['runs', '--json'], { cwd });
  const runs = JSON.parse(stdout);
  const other = runs.find(({ run }: { run: string }) => run !== night);
  const cases = [
    [['improve', '--report', other.run], 'RUN: expected a run of the loop improvement, found one of the loop turn'],
    [['improve', '--report', 'ffffffff'], 'RUN: expected the id of a run'],
    [['improve', '--html', 'night.html'], PAGE],
    [['improve', '--report', night, '--html', 'night.html'], PAGE],
    [['improve', 'the parser', '--report', night], "--report: expected no words beside it, found 'the parser'"],
  ] as const;
  for (const [words, message] of cases) {
    const { status, stderr } = await loopfold(words, { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  }
  expect(JSON.parse((await loopfold(['runs', '--json'], { cwd })).stdout)).toHaveLength(runs.length);
});
