import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { moduleFolder } from '../../support/module-folder.ts';

test('L11 what a strategy cannot keep is warned of when its run starts, and when a run goes on under it', async () => {
  const directory = await moduleFolder({});
  execFileSync('git', ['init', '--quiet', directory]);
  const loops = new Loops({ log: memoryLog(), model: scriptedModel({ answers: [{ text: 'done' }] }) });
  const strategy = { name: 'ralph', config: { minIterations: 5 } };
  const capped = 'minIterations (5) is more than maxIterations (2): 2 is used.';
  const first = await loops.start({ prompt: 'Go', directory, strategy, maxIterations: 2 });
  expect(first.warnings).toEqual([capped]);
  expect(await first.done).toMatchObject({ kind: 'ended' });
  const second = await loops.start({ prompt: 'Go', directory, strategy: 'fixed', maxIterations: 1 });
  expect(second.warnings).toEqual([expect.stringContaining('No check is configured')]);
  await second.done;
  const third = await loops.extend(second.run, { strategy, maxIterations: 2 });
  if (third.kind !== 'live') throw new Error(third.kind);
  expect(third.live.warnings).toEqual([capped]);
  await third.live.done;
});
