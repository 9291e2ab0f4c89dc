import type { RunSettings } from '../../machines/settings.ts';
import { LOOP_STATE_FILE, METRICS_FILE, OWN_FILES } from '../text/own-files.ts';

/** The name of the check that ships: it fails while git has files that are not committed. */
export const CLEAN_TREE = 'clean-tree';

/** Its paths are git's, which `/` separates. */
const ownPatterns = (stateDirectory: string | null): readonly string[] => [
  ...OWN_FILES.map((pattern) => `:(top,exclude,glob)**/${pattern}`),
  ...(stateDirectory === null
    ? []
    : [LOOP_STATE_FILE, METRICS_FILE].map((name) => `:(exclude,literal)${stateDirectory}/${name}`)),
];

/**
 * The command of the check: lists what is neither committed nor ignored in the whole repository, and fails where that
 * is anything. A monitor that the repository configures could hide files, and is not asked.
 */
export function cleanTreeCommand(stateDirectory: string | null = null): string {
  const patterns = [':/', ...ownPatterns(stateDirectory)].map(quoted).join(' ');
  const list = `git -c core.fsmonitor=false status --porcelain --untracked-files=all -- ${patterns}`;
  const says = 'These files are not committed. Commit them, remove them, or let git ignore them:';
  return `files=$(${list}) || exit; [ -z "$files" ] || { printf '%s\\n' '${says}' "$files"; exit 1; }`;
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Checks that ship leave the run's own files out. Where those are is known only with all options. */
export const withOwnFiles = (checks: RunSettings['checks'], stateDirectory: string | null): RunSettings['checks'] =>
  checks.map((check) =>
    check.command === cleanTreeCommand() ? { ...check, command: cleanTreeCommand(stateDirectory) } : check,
  );

/** Whether a run has the check that ships, and not a command of its name. */
export const hasCleanTree = ({
  checks,
  stateDirectory = null,
}: Pick<RunSettings, 'checks' | 'stateDirectory'>): boolean =>
  checks.some(({ command }) => command === cleanTreeCommand(stateDirectory));
