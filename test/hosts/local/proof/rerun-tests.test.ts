import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { EventOf } from '../../../../machines/events.ts';
import { scriptedModel } from '../../../../src/actors/model/model-script.ts';
import type { RunOptions } from '../../../../src/config/options.ts';
import { Loops } from '../../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { repository } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { tool } from '../../../support/stand-ins.ts';
import type { Files } from './proof-project.ts';

type Verification = EventOf<'verification.completed'>['payload'];

const CHECKS = [{ level: 'L1' as const, name: 'tests', command: 'node --test' }];
const TESTS = (more: string) => `import { test } from 'node:test';
import assert from 'node:assert';
import { add } from './sum.js';
test('adds', () => assert.equal(add(1, 2), 3));
${more}`;
const WRONG = 'export const add = (a, b) => a - b;\n';
const RIGHT = 'export const add = (a, b) => a + b;\n';

/** The verifications of a run whose only attempts write these files. */
async function verified(
  files: Files,
  work: (write: (files: Files) => Promise<void>) => Promise<void>,
  more: Partial<RunOptions> = {},
) {
  const { root, commit, write } = await repository({
    '.gitignore': '.loopfold\n',
    'package.json': '{"type":"module"}',
    ...files,
  });
  await commit();
  const one = tool('work', async () => {
    await work(write);
    return { output: '' };
  });
  const answers = [{ calls: [{ tool: 'work', arguments: {} }] }, { text: 'done' }, { text: 'done' }];
  const log = memoryLog();
  const loops = new Loops({ log, model: scriptedModel({ answers }), tools: [one] });
  const live = await loops.start({
    prompt: 'x',
    loop: 'turn',
    directory: root,
    checks: CHECKS,
    maxSteps: 2,
    tools: ['work'],
    ...more,
  });
  await live.done;
  const found: Verification[] = [];
  for await (const { type, payload } of log.read(live.run)) {
    if (type === 'verification.completed') found.push(payload as Verification);
  }
  /** The tests that the next run in this folder knows of. */
  const ledgerOfNext = async () => {
    const next = await loops.start({ prompt: 'y', loop: 'turn', directory: root, checks: CHECKS, maxSteps: 1 });
    await next.done;
    for await (const { type, payload } of log.read(next.run)) {
      if (type === 'baseline.taken') return (payload as EventOf<'baseline.taken'>['payload']).ledger;
    }
    return undefined;
  };
  return { last: found.at(-1), ledgerOfNext };
}

const MARGIN_MS = 15_000;

testInTurn(
  'V12 a test that turns by the clock is flaky: it is named, not counted, and known to the next run',
  async () => {
    const at = Date.now() + MARGIN_MS;
    const clock = `test('answers in time', () => assert.ok(Date.now() > ${at}));\n`;
    const { last, ledgerOfNext } = await verified({ 'sum.js': WRONG, 'sum.test.js': TESTS(clock) }, async (write) => {
      await write({ 'sum.js': RIGHT });
      await sleep(Math.max(0, at - Date.now()));
    });
    expect(last?.passed).toBe(true);
    expect(last?.proof).toMatchObject({
      flaky: [{ check: 'tests', tests: [{ name: 'answers in time' }] }],
      tests: [{ turnedCount: 1, turned: [{ name: 'adds' }] }],
    });
    expect(await ledgerOfNext()).toMatchObject([{ check: 'tests', tests: [{ name: 'answers in time' }] }]);
  },
);

test('V12 a test that passes with the work only the first time fails the attempt, which is told its name', async () => {
  const counter = join(tmpdir(), `loopfold-counter-${process.pid}`);
  const chance = `import { appendFileSync, readFileSync } from 'node:fs';
export const add = (a, b) => {
  appendFileSync('${counter}', '.');
  return readFileSync('${counter}', 'utf8').length === 1 ? a + b : a - b;
};
`;
  await rm(counter, { force: true });
  const { last } = await verified(
    { 'sum.js': WRONG, 'sum.test.js': TESTS('') },
    (write) => write({ 'sum.js': chance }),
    { walls: 'off' },
  );
  await rm(counter, { force: true });
  expect(last).toMatchObject({ passed: false, proof: { unsteady: [{ check: 'tests', tests: [{ name: 'adds' }] }] } });
  expect(last?.levels.at(-1)?.checks.at(-1)?.output).toMatch(
    /passed with your work, and failed when .* again.*\n- sum.test.js: adds/s,
  );
});

testInTurn('V12 a test that passes only behind another one is run again with its whole check', async () => {
  const second = "test('has added', () => assert.equal(globalThis.added, 3));\n";
  const setting = 'export const add = (a, b) => (globalThis.added = a + b);\n';
  const before = 'export const add = (a, b) => (globalThis.added = 3, a + b);\n';
  const { last } = await verified(
    // The first one passes on the base, so that the second one alone turns.
    { 'sum.js': before.replace('added = 3', 'added = 4'), 'sum.test.js': TESTS(second) },
    (write) => write({ 'sum.js': setting }),
  );
  expect(last).toMatchObject({ passed: true, proof: { tests: [{ turned: [{ name: 'has added' }], kept: 1 }] } });
  expect(last?.proof).not.toHaveProperty('flaky');
});
