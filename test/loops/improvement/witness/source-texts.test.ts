import { expect, test } from 'vitest';
import { sourceTexts } from '../../../../src/loops/improvement/witness/source-texts.ts';

const read = (text: string) => sourceTexts('test/a.test.js', text, (path) => path === 'src/price.js');

test.each([
  "readFileSync('src/price.js', 'utf8')",
  "readFileSync(new URL('../src/price.js', import.meta.url), 'utf8')",
  "await readFile(join(root, 'src/price.js'))",
  "open('src/price.js').read()",
  "Path('src/price.js').read_text()",
])('I12 a test that reads the text of a source is known: %s', (text) => {
  expect(read(text)).toEqual(['src/price.js']);
});

test.each([
  "import { price } from '../src/price.js';",
  "readFileSync('test/data.json', 'utf8'); import('../src/price.js');",
  "spawnSync(process.execPath, ['src/price.js']); readFileSync(out, 'utf8');",
])('I12 a test that runs a source, or reads what it wrote, is one: %s', (text) => {
  expect(read(text)).toEqual([]);
});
