import { expect, test } from 'vitest';
import { resolveSettings } from '../../src/config/resolve.ts';
import type { RunOptions } from '../../src/config/options.ts';
import { checksText } from '../../src/loops/checks-text.ts';

const told = (checks: RunOptions['checks'] = []) => {
  const resolved = resolveSettings({ prompt: 'x', checks });
  if (resolved.kind === 'refused') throw new Error(JSON.stringify(resolved.faults));
  return checksText(resolved.settings);
};

test('G3 the prompt names each check, with its level and what it proves', () =>
  expect(
    told(['tsc --noEmit', 'L1:npm test', { command: './lint.sh', reads: true }, 'L2:clean-tree'])?.split('\n'),
  ).toEqual([
    'These checks decide whether the task is done:',
    '- L0 `tsc --noEmit`: exits with 0 where it finds nothing wrong',
    '- L1 `npm test`: exits with 0, and every test that it reports passes',
    '- L0 `./lint.sh`: exits with 0 where it finds nothing wrong',
    '- L2 clean-tree: every change is committed',
    'They run by level: the checks of a level run once those below it pass.',
  ]));

test('G3 without checks it names none', () => expect(told()).toBeNull());

test('G3 many and long checks stay bounded, and the rest is counted', () => {
  const text = told(Array.from({ length: 500 }, (_, n) => `echo ${n} ${'x'.repeat(5_000)}`)) ?? '';
  expect(text.length).toBeLessThan(15_000);
  expect(text).toContain('- and 470 more');
});
