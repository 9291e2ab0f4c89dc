import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../repository/tool.ts';
import { drawings } from './drawings.ts';
import { pages } from './examples.ts';
import { regenerated, sections, sectionsOf } from './generated.ts';

const all = pages();

test.each([...all].filter(([, text]) => sectionsOf(text).length > 0))(
  '%s shows the code as it is (if not: npm run docs)',
  (_file, text) => expect(text).toBe(regenerated(text)),
);

test.each([...drawings])('%s is drawn from the machine as it is', async (file, draw) => {
  const isFresh = readFileSync(join(root, file), 'utf8') === (await draw());
  expect(isFresh, 'stale: npm run docs').toBe(true);
});

test('every drawing is on a page', () => {
  const shown = [...all].flatMap(([file, text]) =>
    [...text.matchAll(/!\[[^\]]*\]\(([^)]+\.svg)\)/g)].map(([, target = '']) => join(file, '..', target)),
  );
  expect([...new Set(shown)].toSorted()).toEqual([...drawings.keys()].toSorted());
});

test('everything that is generated is on a page', () => {
  const shown = [...all.values()].flatMap(sectionsOf);
  expect(shown.toSorted()).toEqual([...sections.keys()].toSorted());
});

test('a stale section is replaced, and the text around it stays', () => {
  const page = 'Before.\n\n<!-- generated: turn-overview -->\n\nold\n\n<!-- end -->\n\nAfter.\n';
  expect(regenerated(page)).toMatch(
    /^Before\.\n\n<!-- generated: turn-overview -->\n\n```mermaid\nstateDiagram-v2[^]*```\n\n<!-- end -->\n\nAfter\.\n$/,
  );
  expect(() => regenerated('<!-- generated: nothing -->\n<!-- end -->')).toThrow(
    /nothing generates nothing; known: turn-overview/,
  );
});
