import type { CheckResult } from '../../machines/events.ts';

/** The code of the fault of a run whose checks cannot run. */
export const CANNOT_CHECK = 'environment';
/** The code of a workspace that has no repository any more. */
export const NO_GIT = 'no_git';

/** Of a shell: the command cannot be run, or is not there. */
const NOT_RUN: ReadonlySet<number> = new Set([126, 127]);
/** Whether an exit status is that of a shell which did not find or could not run what it was asked for. */
export const isNotRun = (exitCode: number | null): boolean => exitCode !== null && NOT_RUN.has(exitCode);

/** Without a package there is no script, and one that the work writes is a ground. */
const NO_SCRIPT = /^npm (?:ERR!|error) (?:code EMISSINGSCRIPT|Missing script|enoent Could not read package\.json)/im;

/** Whether a check failed because what it runs is not there, and not for what it found. */
export const cannotRun = ({ passed, exitCode, output }: CheckResult): boolean =>
  !passed && (isNotRun(exitCode) || output.startsWith(NOT_STARTED) || NO_SCRIPT.test(output));

/** The line of its output that says why: npm ends with where its log is. */
export const whyNotRun = ({ output }: Pick<CheckResult, 'output'>): string => {
  const lines = output.trimEnd().split('\n');
  return lines.find((line) => NO_SCRIPT_LINE.test(line)) ?? lines.at(-1) ?? '';
};

const NO_SCRIPT_LINE = /Missing script|Could not read package\.json/;
const NOT_STARTED = 'could not be started: ';
