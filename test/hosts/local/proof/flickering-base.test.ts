import { expect, test } from 'vitest';
import type { EventOf } from '../../../../machines/events.ts';
import { scriptedModel } from '../../../../src/actors/model/scripted-model.ts';
import { Loops } from '../../../../src/hosts/local/loops.ts';
import { memoryLog } from '../../../../src/log/memory/engine.ts';
import { repository } from '../../../actors/workspace/repository.ts';

/** So many that two runs do not agree on all of them. */
const TOSSES = 40;

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
  const checks = [{ level: 'L1' as const, name: 'unit', command: 'node --test || true' }];
  const live = await loops.start({ prompt: 'x', directory: root, checks, maxIterations: 1 });
  await live.done;
  let baseline: EventOf<'baseline.taken'>['payload'] | undefined;
  for await (const { type, payload } of log.read(live.run)) {
    if (type === 'baseline.taken') baseline = payload as EventOf<'baseline.taken'>['payload'];
  }
  const names = baseline?.flickering?.flatMap(({ tests }) => tests.map(({ name }) => name)) ?? [];
  expect(names.some((name) => name.startsWith('toss '))).toBe(true);
  expect(names).not.toContain('stays');
});
