import { expect, test } from 'vitest';
import { fc } from '../../support/fast-check.ts';
import { calling, completed, containing, failed, reconciling, workspace } from './workspace.ts';

const edits = [
  { oldText: 'const a = 1', newText: 'const a = 10' },
  { oldText: 'b', newText: 'c', replaceAll: true },
];

test('makes all edits at once', async () => {
  const { directory, read } = await workspace({ 'x.ts': 'const a = 1;\r\nb(b);\r\n' });
  expect(await calling(directory, 'multi_edit', { path: 'x.ts', edits })).toEqual([
    completed('x.ts: all 2 edits are in place'),
  ]);
  expect(await read('x.ts')).toBe('const a = 10;\r\nc(c);\r\n');
});

test('makes none where one is refused', async () => {
  const { directory, read } = await workspace({ 'x.ts': 'const a = 1;' });
  const events = await calling(directory, 'multi_edit', { path: 'x.ts', edits });
  expect(events).toEqual([failed('edit_refused', containing('x.ts: edit 2: the old text does not occur'))]);
  expect(await read('x.ts')).toBe('const a = 1;');
});

test('after a crash on either side of it, it has happened once', async () => {
  const short = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength, maxLength });
  const edit = fc.record({ oldText: short(1, 2), newText: short(0, 3), replaceAll: fc.boolean() });
  const { directory, read } = await workspace();
  await fc.assert(
    fc.asyncProperty(short(2, 10), fc.array(edit, { minLength: 1, maxLength: 3 }), fc.boolean(), async (...given) => {
      const [text, edits, happened] = given;
      const args = { path: 'a.txt', edits };
      await calling(directory, 'write', { path: 'a.txt', content: text });
      const [made] = await calling(directory, 'multi_edit', args);
      fc.pre(made?.type === 'tool.completed');
      const wanted = await read('a.txt');
      if (!happened) await calling(directory, 'write', { path: 'a.txt', content: text });

      const known = await reconciling(directory, 'multi_edit', args);
      expect(known).toEqual(happened ? made : null);
      if (known === null) expect(await calling(directory, 'multi_edit', args)).toEqual([made]);
      expect(await read('a.txt')).toBe(wanted);
    }),
    { numRuns: 60 },
  );
});
