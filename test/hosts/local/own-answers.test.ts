import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Loops, memoryLog, scriptedModel } from 'loopfold';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loop as reviewed } from '../../../docs/examples/own-loop/reviewed.loop.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'own-answers-'));
  execFileSync('git', ['init', '--quiet', directory]);
});
afterEach(() => rm(directory, { recursive: true, maxRetries: 3 }));

test("what a judge of a loop of one's own says is parsed before anything of it is recorded", async () => {
  const log = memoryLog();
  const loop = { ...reviewed, judge: () => ({ action: 'stop', reason: 'enough', evidence: [] }) } as typeof reviewed;
  const loops = new Loops({ log, loops: [loop], model: scriptedModel({ answers: [{ text: 'done' }] }) });
  const started = loops.start({ loop: 'reviewed', prompt: 'x', directory, maxIterations: 1 });
  await expect(started).rejects.toThrow(
    /^reviewed@1 made a decision\.made that is no event of it: .*sink.*Fix its definition/s,
  );
  expect(await log.runs()).toEqual([]);
});
