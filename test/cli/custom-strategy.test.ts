import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { type Ended, listing, MODEL, Program, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const SCRIPT = { answers: [{ text: 'done' }] };
const TWO_ITERATIONS = { exit: 0, iterations: [{ iteration: 0 }, { iteration: 1 }] };
const steady = (decision: string) =>
  `export const steady = { name: 'steady', async onIterationComplete({ iteration }) { ${decision} } };\n`;
const TWICE = steady(
  "return { continue: iteration < 1, reason: `round ${iteration}`, action: iteration < 1 ? 'continue' : 'complete' };",
);
const STEADY = ['--strategy', 'custom:./steady.mjs#steady'] as const;

const run = (cwd: string, ...words: readonly string[]) =>
  loopfold(['run', 'Do it.', ...MODEL, '--output-format', 'json', ...words], { cwd });

/** The faults and decisions of the newest run, from its log. */
async function eventsIn(cwd: string): Promise<{ type: string; payload: Record<string, unknown> }[]> {
  const { stdout } = await loopfold(['events', '--last', '--json'], { cwd });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function faultIn(ended: Ended) {
  const { outcome, run: id, exit, next } = resultIn(ended) as ReturnType<typeof resultIn> & { next: readonly string[] };
  return { exit, id, next, fault: outcome?.ending === 'abort' ? outcome.fault : null };
}

describe('L13 a custom strategy, by flag, file and agent', () => {
  test('L13 decides when the run ends', async () => {
    const cwd = await project(SCRIPT, { 'steady.mjs': TWICE });
    const ended = await run(cwd, ...STEADY);
    expect(resultIn(ended)).toMatchObject({ ...TWO_ITERATIONS, outcome: { ending: 'success', verified: null } });
    const decisions = (await eventsIn(cwd)).filter(({ type }) => type === 'decision.made');
    expect(decisions.map(({ payload }) => payload['strategy'])).toEqual([
      undefined,
      { name: 'steady', metadata: null },
      { name: 'steady', metadata: null },
    ]);
  });

  test('L1 L13 one that fails when it is told of the end changes nothing; its reason is printed once', async () => {
    const stopping = steady("return { continue: false, reason: 'enough' };");
    const failing = stopping.replace(' };\n', " , onLoopEnd() { throw new Error('no disk'); } };\n");
    const cwd = await project(SCRIPT, { 'steady.mjs': failing });
    const ended = await run(cwd, ...STEADY);
    const warning = 'strategy steady failed when it was told of the end: Error: no disk';
    expect(resultIn(ended)).toMatchObject({
      exit: 11,
      reason: 'strategy steady stopped the loop: enough',
      warnings: [warning],
    });
    expect(ended.stderr).toContain(`warning: ${warning}`);
  });

  testInTurn('L13 what it prints is not the product', async () => {
    const cwd = await project(SCRIPT, { 'steady.mjs': `console.log('hello');\n${TWICE}` });
    const { stdout, stderr } = await loopfold(['run', 'Do it.', ...MODEL, ...STEADY], { cwd });
    expect(stdout).toBe('done\n');
    expect(stderr).toContain('hello');
  });

  testInTurn('L13 T13 an agent of the project that brings one has to be trusted first', async () => {
    const page = '---\nname: Mine\nstrategy: custom:./steady.mjs#steady\n---\nBe steady.\n';
    const cwd = await project(SCRIPT, { 'steady.mjs': TWICE, '.loopfold/agents/mine.md': page });
    const refused = await run(cwd, '--agent', 'mine');
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('.loopfold/agents/mine.md is not trusted: it sets strategy');
    expect(resultIn(await run(cwd, '--agent', 'mine', '--trust'))).toMatchObject(TWO_ITERATIONS);
  });

  testInTurn(
    'L13 a project’s file that names one has to be trusted first, one with another strategy has not',
    async () => {
      const cwd = await project(SCRIPT, {
        'steady.mjs': TWICE,
        'loopfold.config.json': '{"strategy": "custom:./steady.mjs#steady"}',
      });
      const refused = await run(cwd);
      expect({ status: refused.status, runs: (await listing(cwd)).includes('.loopfold/log.db') }).toEqual({
        status: 2,
        runs: false,
      });
      expect(refused.stderr).toContain('it sets strategy');
      expect(resultIn(await run(cwd, '--trust'))).toMatchObject(TWO_ITERATIONS);
      await writeFile(join(cwd, 'loopfold.config.json'), '{"strategy": "fixed", "maxIterations": 1}');
      expect(resultIn(await run(cwd))).toMatchObject({ exit: 10 });
    },
  );
});

test.each([
  [
    'is not there',
    {},
    './steady.mjs#steady',
    /modulePath \(--strategy\): expected an existing module: .*steady\.mjs does not exist, found '\.\/steady\.mjs'/,
  ],
  [
    'ends the process',
    { 'steady.mjs': 'process.exit(0);\n' },
    './steady.mjs#steady',
    /ends its thread, or waits for ever \(exit code 0\)/,
  ],
  [
    'has no such export',
    { 'steady.mjs': TWICE },
    './steady.mjs#stedy',
    /strategyName \(--strategy\): expected an export of .*, which has: steady, found 'stedy'\. Did you mean steady\?/,
  ],
])('L13 a module that %s is refused before there is a run', async (_what, files, where, says) => {
  const cwd = await project(SCRIPT, files as Readonly<Record<string, string>>);
  const { status, stderr } = await run(cwd, '--strategy', `custom:${where}`);
  expect(status).toBe(2);
  expect(stderr).toMatch(says);
  expect((await listing(cwd)).filter((path) => path.startsWith('.loopfold'))).toEqual([]);
});

testInTurn.each([
  ['ends the process', 'process.exit(3);', 'strategy_gone', /it ended its own thread \(exit code 3\)/],
  ['answers nonsense', "return { continue: 'yes' };", 'invalid_decision', /continue: .*reason: /],
])(
  'L13 one that %s ends its run by an error that says where; mended, the run goes on',
  async (_what, decision, code, says) => {
    const cwd = await project(SCRIPT, { 'steady.mjs': steady(decision) });
    const ended = await run(cwd, ...STEADY);
    const { exit, id, fault, next } = faultIn(ended);
    expect({ exit, code: fault?.code }).toEqual({ exit: 13, code });
    expect(fault?.message).toMatch(says);
    expect(fault?.message).toMatch(new RegExp(`steady.*${id}.*iteration 1|${id}.*steady.*iteration 1`));
    expect(next.join('\n')).toMatch(/resume .*\n.*extend \S+ --strategy fixed/);
    expect((await eventsIn(cwd)).map(({ type }) => type)).toContain('child.settled');
    await writeFile(join(cwd, 'steady.mjs'), TWICE);
    expect(resultIn(await loopfold(['resume', '--last', '--output-format', 'json'], { cwd }))).toMatchObject({
      exit: 0,
      outcome: { ending: 'success' },
    });
  },
);

testInTurn('L13 a module that has vanished ends its run when it is needed, and another strategy goes on', async () => {
  const gone = steady("(await import('node:fs')).rmSync(new URL(import.meta.url)); process.exit(1);");
  const cwd = await project(SCRIPT, { 'steady.mjs': gone });
  expect(faultIn(await run(cwd, ...STEADY)).fault?.code).toBe('strategy_gone');
  const resumed = await loopfold(['resume', '--last', '--output-format', 'json'], { cwd });
  expect(faultIn(resumed)).toMatchObject({
    exit: 13,
    fault: { code: 'strategy_not_found', message: expect.stringContaining('does not exist') },
  });
  const missing = await loopfold(['extend', '--last', '--strategy', 'custom:./other.mjs#x'], { cwd });
  expect({ status: missing.status, stderr: missing.stderr }).toEqual({
    status: 2,
    stderr: expect.stringContaining('does not exist'),
  });
  const extended = await loopfold(
    ['extend', '--last', '--strategy', 'fixed', '--max-iterations', '2', '--output-format', 'json'],
    { cwd },
  );
  expect(resultIn(extended)).toMatchObject({
    exit: 10,
    outcome: { ending: 'cap_hit', limit: { name: 'iterations', used: 2 } },
  });
  await rm(join(cwd, 'steady.mjs'), { force: true });
});

testInTurn(
  'L13 a process killed while its strategy thinks has decided nothing: the strategy is asked again',
  async () => {
    const patient = "console.log('thinking'); while (!existsSync(new URL('go', import.meta.url))) await sleep(10);";
    const imports =
      "import { existsSync } from 'node:fs';\nimport { setTimeout as sleep } from 'node:timers/promises';\n";
    const stop = "return { continue: false, action: 'complete', reason: 'thought through' };";
    const cwd = await project(SCRIPT, { 'steady.mjs': `${imports}${steady(`${patient} ${stop}`)}` });
    const first = new Program(['run', 'Do it.', ...MODEL, ...STEADY], { cwd });
    await first.shows('thinking');
    first.signal('SIGKILL');
    await first.ended;
    await writeFile(join(cwd, 'go'), '');
    expect(resultIn(await loopfold(['resume', '--last', '--output-format', 'json'], { cwd }))).toMatchObject({
      exit: 0,
      outcome: { ending: 'success' },
    });
    const types = (await eventsIn(cwd)).map(({ type }) => type);
    expect(types.filter((type) => type === 'child.settled')).toHaveLength(1);
    expect(types.filter((type) => type === 'decision.made')).toHaveLength(2);
  },
);

testInTurn('L13 extend takes a custom strategy, and other detectors', async () => {
  const cwd = await project(SCRIPT, { 'steady.mjs': TWICE });
  await run(cwd, '--strategy', 'fixed', '--max-iterations', '1');
  const words = [
    'extend',
    '--last',
    ...STEADY,
    '--detectors',
    'strict',
    '--max-iterations',
    '5',
    '--output-format',
    'json',
  ];
  expect(resultIn(await loopfold(words, { cwd }))).toMatchObject(TWO_ITERATIONS);
  const continued = (await eventsIn(cwd)).find(({ type }) => type === 'run.continued');
  expect(continued?.payload).toMatchObject({
    strategy: { name: 'custom', config: { modulePath: './steady.mjs', strategyName: 'steady' } },
    // Of a loop of attempts results count, also where other detectors are chosen.
    detectors: ['strict', { name: 'identical-calls', config: { results: 'count' } }],
  });
});
