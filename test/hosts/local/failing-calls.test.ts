import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ended } from '../../support/run-history.ts';
import { office } from './office.ts';

const directory = () => mkdtempSync(join(tmpdir(), 'loopfold-'));
const calls = (tool: string, count: number, given: (index: number) => { [name: string]: string | number }) =>
  Array.from({ length: count }, (_, index) => ({ calls: [{ tool, arguments: given(index) }] }));

test('D13 D19 a run that calls tools which do not exist is refused one call, and ends at the next', async () => {
  const harness = office({ answers: [...calls('search_web', 9, (page) => ({ page })), { text: 'done' }] });
  const live = await harness.start({ tools: ['read', 'finish'], directory: directory() });
  expect((await ended(live)).outcome).toMatchObject({
    ending: 'doom_loop',
    finding: { detector: 'failing-calls', count: 13, level: 'stop' },
  });
  expect(harness.requests).toHaveLength(7);
});

test('D13 commands that fail count, and searches that find nothing do not', async () => {
  const commands = (command: string) => calls('shell', 13, (index) => ({ command: `${command} ${index}` }));
  const end = async (command: string) => {
    const harness = office({ answers: [...commands(command), { text: 'done' }] });
    const detectors = ['failing-calls', '-identical-calls'];
    const live = await harness.start({ tools: ['shell', 'finish'], detectors, directory: directory() });
    return (await ended(live)).outcome.ending;
  };
  expect(await end('exit 3 #')).toBe('doom_loop');
  expect(await end('echo nothing | grep')).toBe('success');
});
