import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loopFiles } from '../../src/cli/verbs/new.ts';
import { compile } from '../docs/compile.ts';
import { testInTurn } from '../support/in-turn.ts';
import { folder, listing, MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

/** What Node and vitest, jest, mocha, bun take for tests by their names. */
const TAKEN_BY_RUNNERS = [/^test[-.]|[-._]test\.[cm]?[jt]s$/, /\.(test|spec)\.[cm]?[jt]sx?$/];

test('new loop writes a folder whose loop runs as it is, and says what to do next', async () => {
  const cwd = await project({ answers: [{ text: 'APPROVED\nIt is said.' }] });
  const env = { XDG_CONFIG_HOME: await folder() };

  const made = await loopfold(['new', 'loop', 'my-loop'], { cwd, env });

  expect(made.status).toBe(0);
  const files = [
    'environment',
    'events',
    'invariants',
    'judge',
    'loop',
    'machine',
    'proof',
    'ranking',
    'reviewer',
    'text',
  ].map((part) => `my-loop.${part}.ts`);
  expect(await readdir(join(cwd, 'my-loop'))).toEqual(files);
  expect(made.stdout).toBe(files.map((file) => `my-loop/${file}\n`).join(''));
  expect(made.stderr).toMatch(
    /run --loop \.\/my-loop\/my-loop\.loop\.ts 'Say what is to be done'\nnext +npm install --save-dev loopfold\nnext +node --test \.\/my-loop\/my-loop\.proof\.ts\n/,
  );
  for (const taken of TAKEN_BY_RUNNERS) expect(files.filter((file) => taken.test(file))).toEqual([]);
  const ran = await loopfold(
    ['run', 'Say it.', '--loop', './my-loop/my-loop.loop.ts', ...MODEL, '--output-format', 'json'],
    { cwd, env },
  );
  expect(resultIn(ran)).toMatchObject({ exit: 0, outcome: { ending: 'success' } });
  expect((await loopfold(['runs', '--json'], { cwd, env })).stdout).toContain('Say it.');
});

test('new loop writes it into the folder that is named, as it is called in code there', async () => {
  const cwd = await folder();
  const elsewhere = await folder();
  expect((await loopfold(['new', 'loop', 'class', '-C', elsewhere], { cwd })).status).toBe(0);
  expect(await listing(cwd)).toEqual([]);
  expect(await readFile(join(elsewhere, 'class/class.machine.ts'), 'utf8')).toContain(
    'export const classMachine = setup({',
  );
});

test.each([
  ['a folder that is there', ['loop', 'there'], 'NAME: expected a folder that is not there yet'],
  [
    'no name for code',
    ['loop', 'My Loop'],
    "NAME: expected lower-case letters, digits and single dashes, such as my-loop, found 'My Loop'",
  ],
  ['a path', ['loop', '../mine'], 'NAME: expected lower-case letters'],
  [
    'the name of a loop that ships',
    ['loop', 'iteration'],
    'NAME: expected a name of its own: turn, iteration, ralph, improvement, contest, any, recorded, test, tests are taken',
  ],
  ['something else', ['strategy', 'mine'], "WHAT: expected loop, found 'strategy'"],
])('new refuses %s, and writes nothing', async (_what, words, told) => {
  const cwd = await folder({ 'there/kept.txt': 'kept' });
  const { status, stdout, stderr } = await loopfold(['new', ...words], { cwd });
  expect(stderr).toContain(told);
  expect([status, stdout]).toEqual([2, '']);
  expect(await listing(cwd)).toEqual(['there', 'there/kept.txt']);
});

test('new loop says so where it cannot write', async () => {
  const cwd = await folder();
  await writeFile(join(cwd, 'file'), '');
  const { status, stderr } = await loopfold(['new', 'loop', 'mine', '-C', join(cwd, 'file')], { cwd });
  expect(stderr).toContain('cannot be written: ENOTDIR');
  expect(status).toBe(5);
});

testInTurn('every name that is taken passes the compiler as strictly as our sources do', async () => {
  const names = ['a', 'my-loop', 'class', 'judge', 'loop2'];
  const sources = await Promise.all(
    names.map(async (name) => {
      return [...(await loopFiles(name))].map(([file, text]) => [`docs/${name}/${file}`, text] as const);
    }),
  );
  expect(compile(new Map(sources.flat()))).toEqual([]);
});
