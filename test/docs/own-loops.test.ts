import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../repository/tool.ts';
import { examplesOf } from './examples.ts';

const folder = join(root, 'docs', 'examples', 'own-loop');
const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
const quoted = examplesOf('typescript').filter(({ file }) => file === 'docs/guides/own-loops.md');

test('there is something quoted', () => expect(quoted.length).toBeGreaterThanOrEqual(4));

test.each(quoted.map(({ line, code }) => [line, code] as const))('what the page quotes at line %i stands in the example', (_line, code) =>
  expect(sources.filter((source) => source.includes(code))).not.toEqual([]));
