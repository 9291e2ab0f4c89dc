import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Check } from '../../../machines/settings.ts';
import { makeReportPlace } from '../../../src/actors/verify/report-place.ts';
import { runLevels } from '../../../src/actors/verify/verify-actor.ts';
import { compareTests } from '../../../src/evidence/compare-tests.ts';
import { type SelectedTests, selectedTests } from '../../../src/evidence/test-selection.ts';
import type { TestList } from '../../../src/evidence/test-list.ts';
import { root } from '../../repository/tool.ts';
import { tenthOf } from '../../support/tenth.ts';
import { RUBY_AND_PHP } from './ruby-and-php.ts';
import { type Files, RUNNERS } from './runner-projects.ts';

async function write(directory: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
}

/** Packages without the other programs of this repository: one of them is Node. */
async function install(directory: string): Promise<void> {
  await mkdir(join(directory, 'node_modules/.bin'), { recursive: true });
  for (const [name, entry] of [
    ['vitest', 'vitest.mjs'],
    ['jest', 'bin/jest.js'],
    ['mocha', 'bin/mocha.js'],
    ['ava', 'entrypoints/cli.mjs'],
    ['tape', 'bin/tape'],
  ] as const) {
    await symlink(join(root, 'node_modules', name), join(directory, 'node_modules', name));
    await symlink(`../${name}/${entry}`, join(directory, 'node_modules/.bin', name));
  }
}

/** The tests of a check, as their runner has reported them. */
async function ran(command: string, place: string, only?: SelectedTests | null) {
  const [directory, folder] = [join(place, 'project'), await mkdtemp(join(place, 'told-'))];
  await makeReportPlace(folder);
  const check: Check = { level: 'L0', name: 'tests', command, timeoutMs: 120_000 };
  const levels = await runLevels(
    [check],
    {
      run: 'r',
      directory,
      environment: [],
      reports: { folder, seen: folder, tops: [directory] },
      ...(only ? { only: new Map([['tests', only]]) } : {}),
    },
    { signal: new AbortController().signal, delta: () => {} },
  );
  const result = levels?.levels[0]?.checks[0];
  if (!result) throw new Error('the check was stopped');
  return { ...result, list: levels.tests.get('tests') ?? null };
}

const linesOf = (list: TestList | null) =>
  list?.tests.map(({ file, name, result }) => `${file} ${name}: ${result}`).toSorted();

describe('V4 real runners report every test by name, and run tests that turned alone: nothing is configured', () => {
  test.concurrent.for(tenthOf([...RUNNERS, ...RUBY_AND_PHP].filter(({ isHere }) => isHere)))(
    'V4 $name',
    async ({ command, files, right, red, green, cheats, runsAll }, { onTestFinished }) => {
      const place = await realpath(await mkdtemp(join(tmpdir(), 'loopfold-told-')));
      onTestFinished(() => rm(place, { recursive: true, force: true }));
      const directory = join(place, 'project');
      await install(directory);
      await write(directory, files);
      const base = await ran(command, place);
      expect(base).toMatchObject({ exitCode: expect.any(Number), passed: false });
      expect(linesOf(base.list)).toEqual(red);
      await write(directory, right);
      const work = await ran(command, place);
      expect(work).toMatchObject({ exitCode: 0, list: { complete: true } });
      expect(linesOf(work.list)).toEqual(green);
      expect(compareTests(base.list, work.list)).toMatchObject({ lost: [], stillRed: [], reportMissing: false });
      const { turned } = compareTests(base.list, work.list);
      const alone = await ran(command, place, selectedTests(turned));
      const passing = alone.list?.tests.filter(({ result }) => result === 'passed').map(({ name }) => name);
      const wanted = turned.map(({ name }) => name);
      expect({ exitCode: alone.exitCode, passing: runsAll ? wanted : passing }).toEqual({
        exitCode: 0,
        passing: wanted,
      });
      for (const [name, cheat] of Object.entries(cheats)) {
        await write(directory, { ...files, ...cheat });
        const cheated = await ran(command, place);
        const { lost, stillRed, reportMissing } = compareTests(base.list, cheated.list);
        expect({ name, isFound: reportMissing || lost.length + stillRed.length > 0 }).toEqual({ name, isFound: true });
      }
    },
  );
});
