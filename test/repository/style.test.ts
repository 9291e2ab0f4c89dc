import { expect, test } from 'vitest';
import { offences, ruleNames } from './style.ts';
import { trackedTree } from './tree.ts';

const long = `${'let a;\n'.repeat(301)}`;
const importing = (count: number) =>
  Array.from({ length: count }, (_, index) => `import { a${index} } from './a${index}.ts';\n`).join('');
const at = (...parts: string[]) => parts.join('/');

/** For each rule one file that breaks it and one, as near as can be, that does not. */
const examples: Readonly<Record<string, readonly [bad: readonly [string, string], good: readonly [string, string]]>> = {
  'known-at-the-top': [
    ['notes.txt', ''],
    ['.editorconfig', ''],
  ],
  'known-folder': [
    ['src/things/a.ts', ''],
    ['src/log/a.ts', ''],
  ],
  'name-that-says-something': [
    ['test/support/utils.ts', ''],
    ['test/support/utilities-of-water.ts', ''],
  ],
  'short-or-with-a-reason': [
    ['src/log/a.ts', long],
    ['src/log/b.ts', `// Over 300 lines because a table is.\n${long}`],
  ],
  'lines-that-fit': [
    ['test/log/a.test.ts', `// ${'a'.repeat(118)}`],
    ['test/log/b.test.ts', `// ${'a'.repeat(117)}`],
  ],
  'few-imports': [
    ['src/log/a.ts', importing(16)],
    ['src/log/b.ts', importing(15)],
  ],
  'plain-language': [
    ['src/log/a.ts', `// ${['no', 'body'].join('')} reads it`],
    ['src/log/b.ts', '// no reader has it'],
  ],
  'no-any': [
    ['src/log/a.ts', 'let a: Array<any>;'],
    ['src/log/b.ts', "// any\nlet any = 'any';"],
  ],
  'no-path-of-a-machine': [
    ['docs/a.md', `see ${at('', 'home', 'ada', 'loopfold')}`],
    ['docs/b.md', `see ${at('src', 'work', 'ada')} and ${at('', 'tmp', 'ada')}`],
  ],
  'no-path-assumed-absent': [
    ['test/log/a.test.ts', `read('${at('', 'nonexistent', 'folder')}')`],
    ['test/log/b.test.ts', "read(absent('nonexistent'), './nowhere')"],
  ],
  'no-registry-host': [
    ['docs/a.md', `from ${['registry', 'example', 'org'].join('.')}`],
    ['docs/b.md', 'from the registry. Example, registry.test.ts'],
  ],
};

test('this repository keeps its own rules', () => {
  const tree = trackedTree();
  expect(tree.has('package.json')).toBe(true);
  expect(offences(tree)).toEqual([]);
});

test.each(Object.entries(examples))('%s catches its own offence, and only that', (rule, [bad, good]) => {
  expect(offences(new Map([bad])).map((offence) => `${offence.rule} ${offence.file}`)).toEqual([`${rule} ${bad[0]}`]);
  expect(offences(new Map([good]))).toEqual([]);
});

test('base-name-of-its-own catches a name in two folders, and lets the same part of two engines be', () => {
  const files = [
    'src/log/memory/inbox.ts',
    'src/log/sqlite/deliveries.ts',
    'src/cli/verbs/run.ts',
    'src/kernel/run.ts',
  ];
  const tree = (...more: string[]) => new Map([...files, ...more].map((file) => [file, '']));
  expect(offences(tree())).toEqual([]);
  expect(offences(tree('src/runtime/inbox.ts')).map(({ rule }) => rule)).toContain('base-name-of-its-own');
});

test('every rule has its example', () =>
  expect([...Object.keys(examples), 'base-name-of-its-own'].toSorted()).toEqual([...ruleNames].toSorted()));
