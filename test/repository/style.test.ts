import { expect, test } from 'vitest';
import { offences, ruleNames } from './style.ts';
import { trackedTree } from './tree.ts';

const long = `${'let a;\n'.repeat(301)}`;
const at = (...parts: string[]) => parts.join('/');

/** For each rule one file that breaks it and one, as near as can be, that does not. */
const examples: Readonly<Record<string, readonly [bad: readonly [string, string], good: readonly [string, string]]>> = {
  'known-at-the-top': [['notes.txt', ''], ['.editorconfig', '']],
  'known-folder': [['src/things/a.ts', ''], ['src/log/a.ts', '']],
  'name-that-says-something': [['test/support/utils.ts', ''], ['test/support/utilities-of-water.ts', '']],
  'short-or-with-a-reason': [['src/log/a.ts', long], ['src/log/b.ts', `// Over 300 lines because a table is.\n${long}`]],
  'no-any': [['src/log/a.ts', 'let a: Array<any>;'], ['src/log/b.ts', "// any\nlet any = 'any';"]],
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

test('every rule has its example', () => expect(Object.keys(examples).toSorted()).toEqual([...ruleNames].toSorted()));
