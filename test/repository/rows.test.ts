import ts from 'typescript';
import { expect, test } from 'vitest';
import { trackedTree } from './tree.ts';

const DETECTORS = 'D0 D1a D1b D1c D1d D2a D2b D2c D3 D4 D5 D6a D6b D7 D8 D9 D10 D11 D12'.split(' ');
/** What must work, by the ids that tests are named with: turns, loops of attempts, detectors. */
const ROWS = [
  ...Array.from({ length: 13 }, (_, index) => `T${index + 1}`),
  ...Array.from({ length: 20 }, (_, index) => `L${index + 1}`),
  ...DETECTORS,
];

const LEADING = /^(?:[TLD]\d+[a-d]? )+/;

/** The names of the tests in a file, those of tables as they are written. */
function testsIn(path: string, source: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^test\b/.test(node.expression.getText(file))) {
      const [name] = node.arguments;
      if (name && ts.isStringLiteralLike(name)) names.push(name.text);
      if (name && ts.isTemplateExpression(name)) names.push(name.head.text);
    }
    ts.forEachChild(node, visit);
  };
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  visit(file);
  return names;
}

const rowsOf = (names: readonly string[]) => new Set(names.flatMap((name) => LEADING.exec(name)?.[0].trim().split(' ') ?? []));

const sources = [...trackedTree()].filter(([path]) => /^test\/.*\.(test|contract)\.ts$/.test(path));
const proven = rowsOf(sources.flatMap(([path, source]) => testsIn(path, source)));

test('every row has a test that is named with it', () => {
  expect(ROWS.length).toBe(52);
  expect(ROWS.filter((row) => !proven.has(row))).toEqual([]);
});

test('a row is named where a name begins, and a name is what a test is called', () => {
  const source = "test('T1 T2 both', f);\ntest.each([['L9 no']])('D2a %s', f);\ntest(`L3 ${x}`, f);\ncheck('T4 no');\ntest('as in T5', f);";
  expect([...rowsOf(testsIn('a.ts', source))]).toEqual(['T1', 'T2', 'D2a', 'L3']);
});
