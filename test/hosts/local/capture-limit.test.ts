import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { largeText } from '../../../src/git/capture/secret-paths.ts';
import { recordedOptions } from '../../../src/config/options-of-record.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { readSettings } from '../../../src/runtime/read-settings.ts';
import { repository } from '../../git/repository.ts';

const LIMIT = 2048;
const write = (path: string, content: string) => ({ calls: [{ tool: 'write', arguments: { path, content } }] });

test('B7 the limit of captures is recorded: diff and undo go by it, and the end names what is over it', async () => {
  const { root, commit, filesOf } = await repository({ 'a.txt': '1' });
  await commit();
  const answers = [write('large.txt', 'x'.repeat(LIMIT + 1)), write('small.txt', 'x'.repeat(LIMIT)), { text: 'done' }];
  const warned: string[] = [];
  const log = memoryLog();
  const loops = new Loops({ log, model: scriptedModel({ answers }), warn: (text) => warned.push(text) });
  const { run, done } = await loops.start({ prompt: 'x', loop: 'turn', directory: root, captureLimit: '2kb' });
  await done;
  const leftOut = [{ path: 'large.txt', because: largeText(LIMIT) }];
  expect(await loops.diff(run)).toMatchObject({ files: [{ path: 'small.txt' }], leftOut });
  expect(warned).toEqual([
    expect.stringMatching(/diff, apply and undo do not have them: large.txt .*2 KiB.*--capture/),
  ]);
  expect(await loops.undo(run)).toMatchObject({ kind: 'done', files: [{ path: 'small.txt', what: 'removed' }] });
  expect(await readFile(join(root, 'large.txt'), 'utf8')).toHaveLength(LIMIT + 1);
  expect(Object.keys(await filesOf(`refs/loopfold/${run}/end`))).toEqual(['a.txt', 'small.txt']);
  const settings = await readSettings(log, run);
  expect(settings && recordedOptions(settings)).toMatchObject({ captureLimit: LIMIT });
});
