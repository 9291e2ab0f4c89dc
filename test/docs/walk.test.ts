import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { trackedTree } from '../repository/tree.ts';
import { pages } from './examples.ts';

/** Links whose text is a name and whose target is a source: `[\`react\`](../src/kernel/react.ts)`. */
function namesIn(file: string, page: string) {
  const links = page.matchAll(/\[`([A-Za-z]\w*)`\]\(([^)]+\.ts)\)/g);
  return [...links].map(([, name = '', target = '']) => ({ name, path: posix.join(posix.dirname(file), target) }));
}

const isNamed = (name: string, source: string): boolean =>
  new RegExp(`(?:function\\*?|class|const|interface|type) ${name}\\b|^ {2}(?:async )?\\*?${name}\\(`, 'm').test(source);

test('what a page says a file is the home of is declared there', () => {
  const sources = trackedTree();
  const names = [...pages()].flatMap(([file, page]) => namesIn(file, page));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter(({ name, path }) => !isNamed(name, sources.get(path) ?? ''))).toEqual([]);
});

test('a function that is only called in a file is not at home there', () => {
  expect(isNamed('react', 'export function react(stage: Stage) {}')).toBe(true);
  expect(isNamed('follow', 'class A {\n  follow(state: RunState): void {}\n}')).toBe(true);
  expect(isNamed('react', 'const reaction = react(stage);')).toBe(false);
  expect(isNamed('follow', 'class A {\n  a() {\n    this.follow(state);\n  }\n}')).toBe(false);
});
