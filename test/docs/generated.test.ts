import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keptLayout } from '../../src/charts/drawing/layout-table.ts';
import { root } from '../repository/tool.ts';
import { testInTurn } from '../support/in-turn.ts';
import { drawings, LAYOUTS } from './drawings.ts';
import { layoutsFile, shippedSketches } from './layouts-file.ts';
import { pages } from './examples.ts';
import { regenerated, sections, sectionsOf, SLOW_SECTIONS } from './generated.ts';

const all = pages();

const isQuick = (name: string): boolean => !SLOW_SECTIONS.test(name);
const generatedPages = [...all].filter(([, text]) => sectionsOf(text).length > 0);

test.each(generatedPages)('%s shows the code as it is (if not: npm run docs)', async (_file, text) =>
  expect(text).toBe(await regenerated(text, isQuick)),
);

for (const [file, text] of generatedPages.filter(([, page]) => !sectionsOf(page).every(isQuick)))
  testInTurn(`${file} shows what takes seconds as it is (if not: npm run docs)`, async () =>
    expect(text).toBe(await regenerated(text)),
  );

async function expectFresh(file: string, draw: () => string | Promise<string>): Promise<void> {
  const isFresh = readFileSync(join(root, file), 'utf8') === (await draw());
  expect(isFresh, 'stale: npm run docs').toBe(true);
}

const RECORDING = 'docs/demo.svg';
const recording = drawings.get(RECORDING);

/** They take seconds. */
const SLOW_FILES = [RECORDING, LAYOUTS];

test.each([...drawings].filter(([file]) => !SLOW_FILES.includes(file)))(
  '%s is drawn from the machine as it is',
  expectFresh,
);

testInTurn(`${RECORDING} shows the demo as it is`, async () => {
  expect(recording).toBeDefined();
  if (recording) await expectFresh(RECORDING, recording);
});

testInTurn(`${LAYOUTS} has the layouts that elkjs computes`, () => expectFresh(LAYOUTS, layoutsFile));

test('every chart of a machine that ships has its layout kept (if not: npm run docs)', async () => {
  const sketches = [...shippedSketches().values()];
  const kept = await Promise.all(sketches.map(keptLayout));
  expect(sketches.length).toBeGreaterThan(80);
  expect(kept.filter((layout) => layout === null)).toEqual([]);
});

test('every drawing is on a page', () => {
  const shown = [...all].flatMap(([file, text]) =>
    [...text.matchAll(/!\[[^\]]*\]\(([^)]+\.svg)\)/g)].map(([, target = '']) => join(file, '..', target)),
  );
  expect([...new Set(shown)].toSorted()).toEqual(
    [...drawings.keys()].filter((file) => file.endsWith('.svg')).toSorted(),
  );
});

test('everything that is generated is on a page', () => {
  const shown = [...all.values()].flatMap(sectionsOf);
  expect(shown.toSorted()).toEqual([...sections.keys()].toSorted());
});

test('a stale section is replaced, and the text around it stays', async () => {
  const page = 'Before.\n\n<!-- generated: turn-overview -->\n\nold\n\n<!-- end -->\n\nAfter.\n';
  expect(await regenerated(page)).toMatch(
    /^Before\.\n\n<!-- generated: turn-overview -->\n\n```mermaid\nstateDiagram-v2[^]*```\n\n<!-- end -->\n\nAfter\.\n$/,
  );
  await expect(regenerated('<!-- generated: nothing -->\n<!-- end -->')).rejects.toThrow(
    /nothing generates nothing; known: turn-overview/,
  );
});
