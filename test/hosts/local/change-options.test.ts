import { expect, test } from 'vitest';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import type { BringOptions } from '../../../src/app/changes/apply-change.ts';
import { OptionsError } from '../../../src/app/start/options-error.ts';
import type { DiffOptions } from '../../../src/app/changes/run-change.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';

const loops = new Loops({ log: memoryLog() });

test.each([
  [{ at: 'nope' }, 'at'],
  [{ at: -1 }, 'at'],
  [{ to: { run: 'a', at: 1.5 } }, 'to.at'],
  [{ to: {} }, 'to.run'],
  [{ round: 1.5 }, 'round'],
  [{ round: 0 }, 'round'],
  [{ round: 1, at: 'end' }, 'round'],
  [{ bogus: 1 }, 'bogus'],
  [null, 'options'],
])('G10 diff refuses %j', async (options, field) => {
  const asking = loops.diff('a', options as unknown as DiffOptions);
  await expect(asking).rejects.toThrow(OptionsError);
  await expect(asking).rejects.toThrow(new RegExp(`^${field}: expected .+, found `));
});

test.each(['apply', 'undo'] as const)('G10 %s refuses a mistyped check, and writes nothing', async (verb) => {
  await expect(loops[verb]('a', { chekc: true } as BringOptions)).rejects.toThrow('Did you mean check?');
  await expect(loops[verb]('a', { check: 'yes' } as unknown as BringOptions)).rejects.toThrow('expected true or false');
});

test.each<DiffOptions>([{}, { at: 'start' }, { at: 0, to: { run: 'b', at: undefined } }, { round: 1, at: undefined }])(
  'G10 diff takes %j',
  async (options) => expect(await loops.diff('a', options)).toEqual({ kind: 'unknown_run', run: 'a' }),
);
