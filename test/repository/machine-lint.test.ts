import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { impurities } from './machine-sources.ts';
import { root } from './tool.ts';

describe('machines know nothing but what they are told', () => {
  const within = join(root, 'machines');
  const sources = readdirSync(within, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

  test('there are sources to read', () => expect(sources.length).toBeGreaterThanOrEqual(7));

  test.each(sources)('%s', (path) => expect(impurities(readFileSync(join(within, path), 'utf8'))).toEqual([]));

  test.each([
    ["import { now } from 'node:process';", 'import of node:process'],
    ["import { fold } from '../src/kernel/fold.ts';", 'import of ../src/kernel/fold.ts'],
    ["import { Subject } from 'rxjs';", 'import of rxjs'],
    ["const later = import('./later.ts');", 'import()'],
    ['const soon = async () => 1;', 'async'],
    ['const then = await soon;', 'async'],
    ['const at = Date.now();', 'Date.now'],
    ['const at = new Date().toISOString();', 'new Date()'],
    ['const at = Date();', 'Date()'],
    ['const dice = Math.random();', 'Math.random'],
    ['const id = crypto.randomUUID();', 'crypto'],
    ['const home = process.env;', 'process'],
    ['const wait = setTimeout;', 'setTimeout'],
    ['const page = fetch(address);', 'fetch'],
    ['setup({}).createMachine({ id: NAME });', 'NAME in a chart'],
    ['setup({}).createMachine({ states: { ...shared } });', 'a spread in a chart'],
    ['setup({}).createMachine({ states: { [name]: {} } });', 'a computed name in a chart'],
    ['setup({}).createMachine({ states });', 'a variable in a chart'],
    ['setup({}).createMachine({ on: { a: { actions: [note()] } } });', 'note() in a chart'],
  ])('%s is caught', (text, what) => expect(impurities(text)).toEqual([`line 1: ${what}`]));

  test.each([
    'const at = new Date(Date.parse(event.at) + 1).toISOString();',
    "import { born } from '../life.ts';",
    'setup({}).createMachine({ description: `As an editor of charts writes it.` });',
    '// process, await, Date.now: words in a comment',
    "const step = { process: 'a word', crypto: 1 }; step.process;",
    "setup({}).createMachine({ context: ({ input }) => ({ ...born(input) }), on: { a: { actions: ['note'] } } });",
  ])('%s is fine', (text) => expect(impurities(text)).toEqual([]));
});
