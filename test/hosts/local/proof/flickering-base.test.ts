import { expect, test } from 'vitest';
import type { EventOf } from '../../../../machines/events.ts';
import { MAX_NAMED } from '../../../../machines/recorded-proof.ts';
import { scriptedModel } from '../../../../src/actors/model/model-script.ts';
import { Loops } from '../../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { proved } from './proof-project.ts';
import { tool } from '../../../support/stand-ins.ts';
import { repository } from '../../../git/repository.ts';
import { NODE_TESTS } from '../../../support/node-tests.ts';

/** So many that two runs do not agree on all of them. */
const TOSSES = 40;

type Checked = 'baseline.taken' | 'verification.completed';

async function payloadOf<Type extends Checked>(type: Type, log: ReturnType<typeof memoryLog>, run: string) {
  for await (const event of log.read(run)) if (event.type === type) return event.payload as EventOf<Type>['payload'];
  return undefined;
}

/** So many that a list of their names is cut. */
const NAMED_ANEW = 150;

test('V4 a test that flickers is not demanded either where the list of such tests is cut', async () => {
  const { root, commit, write } = await repository({
    '.gitignore': '.loopfold\n',
    'anew.test.js': `const { test } = require('node:test');
test('stays', () => {});
for (let one = 0; one < ${NAMED_ANEW}; one += 1) test('new ' + Math.random(), () => {});
`,
  });
  await commit();
  const log = memoryLog();
  const work = tool('work', async () => {
    await write({ 'work.txt': 'done\n' });
    return { output: 'written' };
  });
  const answers = [{ calls: [{ tool: 'work', arguments: {} }] }, { text: 'done' }, { text: 'done' }];
  const loops = new Loops({ log, model: scriptedModel({ answers }), tools: [work] });
  const checks = [
    { level: 'L0' as const, name: 'work', command: 'test -f work.txt' },
    { level: 'L1' as const, name: 'unit', command: NODE_TESTS },
  ];
  const live = await loops.start({ prompt: 'x', loop: 'turn', directory: root, checks, maxSteps: 2, tools: ['work'] });
  expect(await live.done).toMatchObject({ outcome: { ending: 'success' } });
  expect(await payloadOf('baseline.taken', log, live.run)).toMatchObject({
    flickering: [{ check: 'unit', more: 2 * NAMED_ANEW - MAX_NAMED }],
  });
  expect(await payloadOf('verification.completed', log, live.run)).toMatchObject({
    proof: { tests: [{ check: 'unit', kept: 1, lostCount: 0 }] },
  });
  const proof = await proved(loops, live.run);
  expect(proof).toMatchObject({ proven: true, tests: [{ check: 'unit', kept: 1, lost: [] }] });
  expect(proof).toMatchObject({ flickering: [{ check: 'unit', more: expect.any(Number) }] });
});

test('V4 tests that differ between two runs on the base are recorded as flickering, and no others', async () => {
  const { root, commit } = await repository({
    '.gitignore': '.loopfold\n',
    'tosses.test.js': `const { test } = require('node:test');
const assert = require('node:assert');
test('stays', () => {});
for (let toss = 0; toss < ${TOSSES}; toss += 1) test('toss ' + toss, () => assert.ok(Math.random() < 0.5));
`,
  });
  await commit();
  const log = memoryLog();
  const loops = new Loops({ log, model: scriptedModel({ answers: [{ text: 'done' }] }) });
  const checks = [{ level: 'L1' as const, name: 'unit', command: `${NODE_TESTS} || true` }];
  const live = await loops.start({ prompt: 'x', directory: root, checks, maxIterations: 1 });
  await live.done;
  const baseline = await payloadOf('baseline.taken', log, live.run);
  const names = baseline?.flickering?.flatMap(({ tests }) => tests.map(({ name }) => name)) ?? [];
  expect(names.some((name) => name.startsWith('toss '))).toBe(true);
  expect(names).not.toContain('stays');
});
