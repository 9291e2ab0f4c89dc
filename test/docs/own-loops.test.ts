import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reviewed } from '../../docs/examples/own-loop/reviewed.machine.ts';
import { impurities } from '../repository/machine-sources.ts';
import { imported, running, withoutWhatIsNotTold, written } from '../repository/stately/readings.ts';
import { root } from '../repository/tool.ts';
import { examplesOf } from './examples.ts';

const folder = join(root, 'docs', 'examples', 'own-loop');
const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
const quoted = examplesOf('typescript').filter(({ file }) => file === 'docs/guides/own-loops.md');

test('the page quotes the example', () => expect(quoted.length).toBeGreaterThanOrEqual(4));

test.each(quoted.map(({ line, code }) => [line, code] as const))(
  'what the page quotes at line %i stands in the example',
  (_line, code) => expect(sources.filter((source) => source.includes(code))).not.toEqual([]),
);

test('editors of charts read the example as it runs', () => {
  const source = readFileSync(join(folder, 'reviewed.machine.ts'), 'utf8');
  const runs = running(reviewed);
  expect(written(source)).toEqual(runs);
  expect(withoutWhatIsNotTold(imported(source))).toEqual(withoutWhatIsNotTold(runs));
  expect(impurities(source)).toEqual(['line 4: import of loopfold/machines']);
});
