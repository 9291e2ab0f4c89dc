import { expect, test } from 'vitest';
import { OPTION_GROUPS } from '../../src/options/option-table.ts';
import { folder } from './program.ts';
import { loopfold } from './warm-process.ts';

const helpOf = async (...words: readonly string[]) => (await loopfold(words, { cwd: await folder({}) })).stdout;
const flagsIn = (help: string) => [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag);
const headingsIn = (help: string) => [...help.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading);

test('B8 the help of run shows twelve flags and three examples, and names the help with all', async () => {
  const help = await helpOf('run', '--help');
  expect(flagsIn(help).filter((flag) => flag !== '--help')).toHaveLength(12);
  expect(help.match(/^ {2}loopfold run /gm)).toHaveLength(3);
  expect(help).toMatch(/\n\nAll flags, by group: loopfold run --help all\n$/);
  expect(headingsIn(help)).toEqual(['Arguments', 'Options', 'Examples']);
});

test.each([
  ['run', '--help', 'all'],
  ['help', 'run', 'all'],
])('B8 %s %s %s shows every flag, by group', async (...words) => {
  const help = await helpOf(...words);
  expect(flagsIn(help)).toEqual(expect.arrayContaining(['--held-out-tells', '--sandbox-limits', '--log', '--json']));
  expect(headingsIn(help)).toEqual(expect.arrayContaining(Object.keys(OPTION_GROUPS)));
});
