import { describe, expect, test } from 'vitest';
import { importShare, LONGEST_FUNCTION_LINES, longFunctions, participleNames } from './size.ts';
import { trackedTree } from './tree.ts';

// Each is what was measured, rounded up, and is lowered with what it counts. A longer function, or a name that says
// less, needs a reason that is worth a higher number here.
const MOST_LONG_FUNCTIONS = 0;
const MOST_PARTICIPLE_NAMES = 29;
const MOST_IMPORTS_A_THOUSAND_LINES = 77;

const tree = trackedTree();

describe('the source', () => {
  test('it is all looked at', () => expect([...tree.keys()]).toContain('src/studio/shell.tsx'));

  test(`no more functions are over ${LONGEST_FUNCTION_LINES} lines than were`, () => {
    const found = longFunctions(tree);
    expect(found.length > MOST_LONG_FUNCTIONS ? found : []).toEqual([]);
  });

  test('no more files begin with a participle than did', () => {
    const found = participleNames(tree);
    expect(found.length > MOST_PARTICIPLE_NAMES ? found : []).toEqual([]);
  });

  test('no larger share of the lines are imports than was', () => {
    const { aThousandLines, most } = importShare(tree);
    const found = aThousandLines > MOST_IMPORTS_A_THOUSAND_LINES ? [`${aThousandLines} in all`, ...most] : [];
    expect(found).toEqual([]);
  });
});

/** A function of so many lines, and what makes its file long enough to be read. */
const lasting = (name: string, lines: number): string =>
  `${name} {\n${'  run();\n'.repeat(lines - 2)}}\n${'// More.\n'.repeat(LONGEST_FUNCTION_LINES)}`;

const LONG = LONGEST_FUNCTION_LINES + 1;

test.each([
  ['a function', lasting('function work()', LONG), 'work'],
  ['a method of a class', `class Worker {\n${lasting('work()', LONG)}}`, 'work'],
  ['a constructor', `class Worker {\n${lasting('constructor()', LONG)}}`, 'constructor'],
  ['an arrow that has a name', `const work = () =>${lasting('', LONG)}`, 'work'],
  ['an arrow that is an argument', `later(() =>${lasting('', LONG).replace('}\n', '});\n')}`, 'line 1'],
])('%s is named when it is a line too long', (_kind, text, name) => {
  expect(longFunctions(new Map([['src/log/a.ts', text]]))).toEqual([`${LONG} lines: src/log/a.ts, ${name}`]);
});

test('a function that is as long as it may be, or a test, is let be', () => {
  const files = [
    ['src/log/a.ts', lasting('function work()', LONGEST_FUNCTION_LINES)],
    ['test/log/a.ts', lasting('function work()', LONG)],
  ] as const;
  expect(longFunctions(new Map(files))).toEqual([]);
});

test('both are named where one function is within the other, the longer first', () => {
  const inner = lasting('  function inner()', LONG);
  const found = longFunctions(new Map([['src/log/a.ts', `function outer() {\n${inner}}\n`]]));
  expect(found.map((line) => line.split(', ')[1])).toEqual(['outer', 'inner']);
});

test('a participle is known by its ending or by heart, and only where a name begins with it', () => {
  const bad = ['recorded-proof.ts', 'asked-form.tsx', 'failing-calls.ts', 'held-out.ts', 'given.ts'];
  const good = ['finding.ts', 'bring-plan.ts', 'need.ts', 'proof-recorded.ts', 'string-width.ts', 'read-tree.ts'];
  const files = new Map([...bad, ...good].map((name) => [`src/log/${name}`, '']));
  expect(participleNames(files)).toEqual(bad.map((name) => `src/log/${name}`));
});

test('imports are counted for a thousand lines, and the file with the largest share is named first', () => {
  const files = new Map([
    ['src/log/a.ts', `${'run();\n'.repeat(90)}`],
    ['src/log/b.ts', `import a from './a.ts';\n${'run();\n'.repeat(9)}`],
  ]);
  const { aThousandLines, most } = importShare(files);
  expect(aThousandLines).toBe(10);
  expect(most[0]).toBe('src/log/b.ts: 1 in 10 lines');
});
