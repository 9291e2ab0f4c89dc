import type { CheckResult, LeftOut, LevelResult } from '../../machines/events.ts';
import type { Dispute, FlickeringTests, RecordedProof } from '../../machines/recorded-proof.ts';
import { head } from '../text/excerpt.ts';
import { pathText } from '../text/path-text.ts';
import { lackedText, type Lacked } from './lack-text.ts';
import { type CheckedTests, hasLostTests, lacksReport } from './tests-of-checks.ts';
import { lostText, MAX_NAME_CHARACTERS, MAX_TESTS, testText } from './loss-text.ts';

/** The name of the check that says what no command says. */
const PROOF_CHECK = 'proof';
const MAX_PATHS = 20;
const MAX_PATH_CHARACTERS = 200;
const MAX_REASON_CHARACTERS = 1_000;

const UNCHANGED =
  'Nothing has changed since the run began, and all checks passed then already: this work is not done yet, or it ' +
  'needs a test that fails without it.';
const MOVED = 'The files have changed while they were checked. End what still writes to them, and try again.';

const WITH_WORK = 'with your work';
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Whether this says what no command says. A command of that name has an exit status, unless it was killed. */
export const isOfProof = ({ name, exitCode }: Partial<Pick<CheckResult, 'name' | 'exitCode'>>): boolean =>
  name === PROOF_CHECK && exitCode === null;

/** What the checks of a proof came to, beside their results. */
export interface Proven {
  readonly proof: RecordedProof;
  readonly tests: readonly CheckedTests[];
  /** Provided files that are not what they were when the run began. */
  readonly providedChanged: readonly string[];
  /** Files that the run has written, and that no capture has: the checks ran without them. */
  readonly uncaptured: readonly LeftOut[];
  /** The workspace is another one than that which was checked. */
  readonly moved: boolean;
  /** Needed by checks that fail, and in no checkout. Absent, null: nothing is known to be. */
  readonly lacked?: Lacked | null;
  /** The run can wait for a person who decides about changed grounds. */
  readonly canAsk: boolean;
}

/**
 * The results of the checks, with what they do not say of themselves as the result of one more check, which fails. None
 * is added where the checks failed on files that are as the work has them.
 */
export function withProof(
  levels: readonly LevelResult[],
  { proof, tests, providedChanged, uncaptured, lacked = null, moved, canAsk }: Proven,
): LevelResult[] {
  const isApproved = proof.dispute?.is === 'approved';
  const failed = isApproved ? undefined : proof.legs.find(({ passed }) => !passed);
  const blind = blindChecks(proof);
  const said = [
    ...(proof.unchanged ? [UNCHANGED] : []),
    ...(failed?.leg === 'base' && proof.groundsChanged > 0 ? [restoredText(proof)] : []),
    ...(failed?.leg === 'work' ? [ownText(proof)] : []),
    ...(isApproved ? [] : tests.filter(hasLostTests).map(lostText)),
    ...(proof.dispute && !isApproved ? [disputeText(proof.dispute, canAsk)] : []),
    ...tests.filter(lacksReport).map(unreportedText),
    ...(failed && uncaptured.length > 0 ? [uncapturedText(uncaptured)] : []),
    ...(lacked ? [`${capitalised(lackedText(lacked, WITH_WORK))}.`] : []),
    ...(providedChanged.length > 0 ? [providedText(providedChanged)] : []),
    ...(proof.control?.broken.length ? [controlText(proof.control.broken)] : []),
    ...(blind.length > 0 ? [blindText(blind)] : []),
    ...(proof.unsteady ?? []).map(unsteadyText),
    ...(proof.touched ? [touchedText(proof.touched)] : []),
    ...(moved ? [MOVED] : []),
  ];
  const last = levels.at(-1);
  if (said.length === 0 || !last) return [...levels];
  const output = said.join('\n');
  const result = { name: PROOF_CHECK, passed: false, output, exitCode: null, durationMs: 0 };
  return [...levels.slice(0, -1), { ...last, passed: false, checks: [...last.checks, result] }];
}

const providedText = (paths: readonly string[]): string =>
  'Every checkout gets these files as they were when the run began, and they have changed or are gone. Put them back as ' +
  `they were: ${paths
    .slice(0, MAX_PATHS)
    .map((path) => pathText(path, MAX_PATH_CHARACTERS))
    .join(', ')}`;

const uncapturedText = (paths: readonly LeftOut[]): string =>
  [
    'No capture has these files, so the checks ran without them. Work that needs one to pass is not done:',
    ...paths.slice(0, MAX_PATHS).map(({ path, because }) => `- ${pathText(path, MAX_PATH_CHARACTERS)}: ${because}`),
  ].join('\n');

function restoredText({ grounds, groundsChanged, inherited = [] }: RecordedProof): string {
  const earlier = new Set(inherited);
  const named = grounds.slice(0, MAX_PATHS).map(({ path, how, keys }) => {
    const which = keys ? ` (${keys.join(', ')})` : NOTE[how];
    const by = earlier.has(path) ? ' (changed by an earlier run, and not approved)' : '';
    return `- ${pathText(path, MAX_PATH_CHARACTERS)}${which}${by}`;
  });
  const more = groundsChanged - named.length;
  return [
    'The checks ran with these as they were when the run began. Your changes of them do not count here:',
    ...named,
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n');
}

function disputeText({ is, reason }: Dispute, canAsk: boolean): string {
  if (is === 'denied') {
    const why = reason === undefined ? '' : `, and says: ${head(reason, MAX_REASON_CHARACTERS)}`;
    return (
      `A person has decided that these changes do not count${why}. ` +
      'Put them back, and make the work pass without them.'
    );
  }
  if (!canAsk) {
    return (
      'With your own changes of these all checks pass, and they do not count: no person is asked about them. Put them ' +
      'back, and make the work pass without them.'
    );
  }
  return (
    'With your own changes of these all checks pass. Where the task can be done without them, put them back and mend the ' +
    'work. Where it cannot, such as a renamed function or a removed feature, keep them and finish again: a person will ' +
    'decide whether they count.'
  );
}

const CONTROL =
  'Tests that must fail were added to these files, as they were when the run began, and with your work they pass or are ' +
  'not reported. Your work must not change how its own tests go, such as their assertions, their runner or its process:';

const controlText = (broken: readonly string[]): string =>
  [CONTROL, ...broken.map((path) => `- ${pathText(path, MAX_PATH_CHARACTERS)}`)].join('\n');

/** The checks that find no planted error with the work, and found one before. */
export const blindChecks = ({ controls = [] }: Pick<RecordedProof, 'controls'>): readonly string[] =>
  controls.flatMap(({ check, by, is }) => (by === 'reading' && is === 'broken' ? [check] : []));

const blindText = (blind: readonly string[]): string =>
  [
    'An error that was planted in your files is not reported by these checks, and in the files of the beginning it is. ' +
      'Your work must not keep them from finding errors:',
    ...blind.map((check) => `- ${head(check, MAX_NAME_CHARACTERS)}`),
  ].join('\n');

function unsteadyText({ check, tests, more = 0 }: FlickeringTests): string {
  const named = tests.slice(0, MAX_TESTS).map((test) => `- ${testText(test)}`);
  const others = tests.length - named.length + more;
  return [
    `Tests of ${check} passed with your work, and failed when the same files were checked again. They have to pass each time:`,
    ...named,
    ...(others > 0 ? [`- and ${others} more`] : []),
  ].join('\n');
}

const touchedText = (paths: readonly string[]): string =>
  [
    'These were written to while the checks ran on your work, and not before it. What runs in a check must leave its ' +
      'tests and configuration alone:',
    ...paths.slice(0, MAX_PATHS).map((path) => `- ${pathText(path, MAX_PATH_CHARACTERS)}`),
  ].join('\n');

const NOTE = { restored: '', keys: '', absent: ' (new: left out)' } as const;

const ownText = ({ groundsChanged }: RecordedProof): string =>
  `With the tests and configuration of the beginning the checks pass; with your own changes of them (${groundsChanged}) they fail.`;

/** Where no test is known any more, code may have printed a line that looks like a test. */
const unreportedText = ({ check, reported }: CheckedTests): string =>
  reported
    ? `${check} ended before its test runner had reported all tests.`
    : `${check} names its tests no more: its runner did not report, or lines that look like tests are not as many as ` +
      'it says that there were.';
