import { expect, test } from 'vitest';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { repository } from '../../git/repository.ts';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { noTexts, textsIn } from '../../../src/loops/improvement/effects/texts-of-record.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { shippedLoops } from '../../../src/loops/index.ts';
import { tool } from '../../support/stand-ins.ts';

test('I9 what a run and its children said and read is found in the log, and not what it was told to do', async () => {
  const { root: directory, commit } = await repository({ '.gitignore': '.loopfold\n' });
  await commit();
  const log = memoryLog();
  const peek = tool('peek', async () => ({ output: 'a line from the tool' }));
  const answers = [{ calls: [{ tool: 'peek', arguments: { what: 'an argument' } }] }, { text: 'words of the model' }];
  const loops = new Loops({ log, model: scriptedModel({ answers }), tools: [peek] });
  const options = { prompt: 'the task itself', directory, tools: ['peek'], checks: ['L0:true'] };
  const live = await loops.start({ ...options, loop: 'iteration', maxIterations: 1 });
  await live.done;
  const texts: string[] = [];
  for await (const text of textsIn({ log, loops: shippedLoops })(live.run)) texts.push(text);
  expect(texts).toEqual(expect.arrayContaining(['an argument', 'words of the model']));
  expect(texts.join('\n')).toContain('a line from the tool');
  expect(texts.join('\n')).not.toContain('the task itself');
  expect(await noTexts(live.run)[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
});
