import { expect, test } from 'vitest';
import { scriptedModel } from '../../src/actors/model/model-script.ts';
import { Loops } from '../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { temporaryFolder } from '../git/repository.ts';

test('X4 given checked options, when a run starts over another log, then none is checked again', async () => {
  const model = scriptedModel({ answers: [{ text: 'It is done.' }] });
  const [before, after] = [memoryLog(), memoryLog()];
  const options = { prompt: 'Say that it is done.', loop: 'turn', directory: await temporaryFolder(), maxSteps: 3 };
  const checked = await new Loops({ log: before, model }).check(options);
  // Refused, if it were read.
  options.maxSteps = -1;
  const run = await new Loops({ log: after, model }).start(checked);
  expect(await run.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  expect([await before.run(run.run), (await after.run(run.run))?.closed]).toEqual([null, 'success']);
});
