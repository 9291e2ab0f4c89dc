import { randomBytes, randomInt } from 'node:crypto';
import { textOf } from '../git/object-text.ts';
import { MAX_CONTROLLED } from '../../machines/recorded-proof.ts';
import type { CheckedTests, ReportedTests } from '../evidence/tests-of-checks.ts';
import type { ControlledFile } from '../evidence/control/judge-control.ts';
import { type Control, mustFail } from '../evidence/control/must-fail.ts';
import { hasTest, namedFile, testsByFile } from '../evidence/control/test-file.ts';
import type { TestResult } from '../evidence/test-list.ts';
import { isFile } from '../evidence/tree-entry.ts';
import type { NamedEntry } from './trees-by-path.ts';
import type { PreparedLegs } from './prepare-legs.ts';

const WORD_BYTES = 6;
const MAX_NUMBER = 100_000;

/** A file of tests of the start, with tests that must fail. */
export interface Controlled extends ControlledFile, Control {
  readonly entry: NamedEntry;
}

interface Written extends Controlled {
  /** As it is on the start. */
  readonly text: string;
}

/** The most further files of a check that get them: code of one file can turn against its tests alone. */
const MAX_FURTHER = 100;

/** The files of tests that one check gets a control in. */
export interface ControlledCheck {
  readonly check: string;
  readonly files: readonly Controlled[];
  /** Other files with tests that pass on the start. */
  readonly further: readonly Controlled[];
}

/**
 * For each check the files of the start, as they are in the first leg, whose tests turned; where none turned, those
 * whose tests pass. A file that two checks run is the same for both.
 */
export async function controlledFiles(
  { plan, call }: Pick<PreparedLegs, 'plan' | 'call'>,
  checked: readonly CheckedTests[],
  start: ReportedTests,
): Promise<readonly ControlledCheck[]> {
  const [first] = plan.trees;
  const mark = { word: `k${randomBytes(WORD_BYTES).toString('hex')}`, number: randomInt(MAX_NUMBER) };
  const made = new Map<string, Promise<Written | null>>();
  const found: ControlledCheck[] = [];
  for (const { check, turned } of checked) {
    const passing = (start.get(check)?.tests ?? []).filter(({ result }) => result === 'passed');
    const files = await controlledAmong(turned.length > 0 ? turned : passing, MAX_CONTROLLED);
    const known = new Set(files.map(({ path }) => path));
    const others = passing.filter((test) => !known.has(namedFile(test)));
    const further = (await controlledAmong(others, MAX_FURTHER))
      .filter(({ path }) => !known.has(path))
      .map(withoutCopies);
    if (files.length > 0) found.push({ check, files, further });
  }
  return found;

  async function controlledAmong(some: readonly TestResult[], most: number): Promise<Controlled[]> {
    const tests = testsByFile(some, plan.base.keys());
    const files: Controlled[] = [];
    for (const path of inAnyOrder([...tests.keys()])) {
      const file = await written(path);
      if (file && tests.get(path)?.some((test) => hasTest(path, file.text, test))) files.push(file);
      if (files.length === most) break;
    }
    return files;
  }

  /** Each file is read and written once. Null: the start does not have it, or it takes no tests. */
  function written(path: string): Promise<Written | null> {
    const found = made.get(path) ?? write(path, `${mark.word}f${made.size}`);
    made.set(path, found);
    return found;
  }

  async function write(path: string, word: string): Promise<Written | null> {
    const entry = plan.base.get(path);
    if (!isFile(entry) || first.get(path)?.hash !== entry.hash) return null;
    const text = await textOf(entry.hash, call);
    const control = text === null ? null : mustFail(path, text, { word, numbers: [mark.number, mark.number + 1] });
    return control && text !== null ? { path, entry, text, ...control } : null;
  }
}

/** Leaves copies of its own tests out of the judgement: tests that must fail say enough. */
const withoutCopies = (file: Controlled): Controlled => ({ ...file, pairs: [] });

/** Which files are taken is not for the work to know. */
const inAnyOrder = (paths: readonly string[]): readonly string[] =>
  paths
    .map((path) => ({ path, at: randomInt(MAX_NUMBER) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ path }) => path);
