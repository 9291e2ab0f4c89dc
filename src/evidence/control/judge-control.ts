import type { CheckControl } from '../../../machines/recorded-proof.ts';
import type { TestResult } from '../test-list.ts';
import { hasFailed, pairWith, type PairOutcome, pairOutcome } from './judge-pair.ts';
import type { TestPair } from './write-tests.ts';

/** A file of tests to which tests that must fail were added. */
export interface ControlledFile {
  readonly path: string;
  /** A part of the name of each that surely must fail. The first is a bare error, which goes by no assertion. */
  readonly labels: readonly string[];
  /** Copies of its own tests. */
  readonly pairs: readonly TestPair[];
}

/**
 * A file, and what became of its control. `held`: what must fail did. `broken`: it fails where the work is not there,
 * and with it does not. `unnoticed`: it does not fail there, either, or that is not known. `bare`: nothing but a bare
 * error has failed.
 */
export interface JudgedFile {
  readonly path: string;
  readonly is: Exclude<CheckControl['is'], 'none'>;
}

/** The paths of files by what became of their control. */
export interface JudgedControl {
  readonly held: string[];
  readonly broken: string[];
  readonly unnoticed: string[];
}

/** The results of the same tests in two runs. */
export interface ControlledTests {
  readonly onWork: readonly TestResult[];
  /** Where the work is not. Empty: nothing evaded the control with the work, so they did not run. */
  readonly atStart: readonly TestResult[];
}

/** The files of which the start has to tell whether the work is why something did not fail, or was not reported. */
export const evaded = <File extends ControlledFile>(
  files: readonly File[],
  tests: readonly TestResult[],
): readonly File[] =>
  files.filter(
    ({ labels, pairs }) =>
      !labels.every((label) => hasFailed(label, tests)) || pairs.some((pair) => pairWith(pair, tests) === 'evaded'),
  );

/**
 * Judges a control on the work: where something evaded it, by what the same files come to where the work is not.
 *
 * @example
 * const files = [{ path: 'test/sum.test.js', labels: ['k1x0x'], pairs: [] }];
 * const failed = { file: 'test/sum.test.js', name: 'k1x0x', occurrence: 1, result: 'failed' } as const;
 * judgeControl(files, { onWork: [], atStart: [failed] }); // [{ path: 'test/sum.test.js', is: 'broken' }]
 */
export const judgeControl = (files: readonly ControlledFile[], tests: ControlledTests): readonly JudgedFile[] =>
  files.map((file) => ({ path: file.path, is: outcomeOf(file, tests) }));

function outcomeOf({ labels, pairs }: ControlledFile, tests: ControlledTests): JudgedFile['is'] {
  const evading = labels.filter((label) => !hasFailed(label, tests.onWork));
  const byForm = Map.groupBy(
    pairs.map((pair) => ({ form: pair.form, is: pairOutcome(pair, tests) })),
    ({ form }) => form,
  );
  const forms = [...byForm.values()].map((some) => formOutcome(some.map(({ is }) => is)));
  if (forms.includes('broken')) return 'broken';
  if (evading.length > 0) return labels.every((label) => hasFailed(label, tests.atStart)) ? 'broken' : 'unnoticed';
  if (forms.includes('unnoticed')) return 'unnoticed';
  return forms.includes('held') || labels.length > 1 ? 'held' : 'bare';
}

/** One pair that held shows that its form of assertion works: another may stand where nothing runs. */
const formOutcome = (pairs: readonly PairOutcome[]): PairOutcome =>
  (['broken', 'held', 'unnoticed'] as const).find((is) => pairs.includes(is)) ?? 'silent';

/** Folds the outcomes of a check's files into one. `none`: there were no files. */
export const controlOf = (judged: readonly JudgedFile[]): CheckControl['is'] =>
  (['broken', 'held', 'unnoticed', 'bare'] as const).find((which) => judged.some(({ is }) => is === which)) ?? 'none';

/** The paths as they are recorded: where a bare error has failed, what must fail has. */
export function pathsByOutcome(judged: readonly JudgedFile[]): JudgedControl {
  const paths = (...which: readonly JudgedFile['is'][]) =>
    judged.filter(({ is }) => which.includes(is)).map(({ path }) => path);
  return { held: paths('held', 'bare'), broken: paths('broken'), unnoticed: paths('unnoticed') };
}
