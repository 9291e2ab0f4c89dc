import { expect, test } from 'vitest';
import type { Json } from '../../machines/json.ts';
import { MODEL, project } from './program.ts';
import { loopfold } from './warm-process.ts';

const nestedText = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const nested = JSON.parse(nestedText(2_000)) as Json;

test('B4 arguments nested in thousands of levels fail their call, and the model goes on', async () => {
  const calls = [nested, nestedText(100_000)].map((given) => ({ tool: 'read', arguments: given }));
  const cwd = await project({ answers: [{ text: 'x', calls }, { text: 'done' }] }, {}, false);
  const { status, stdout, stderr } = await loopfold(['run', 'x', ...MODEL, '--loop', 'turn'], { cwd });
  expect(stderr.match(/✗ arguments of read: .*too deep: nested in more than 200 level/g)).toHaveLength(2);
  expect([status, stdout]).toEqual([0, 'done\n']);
});
