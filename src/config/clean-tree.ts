import type { RunSettings } from '../../machines/settings.ts';
import { LOOP_STATE_FILE, METRICS_FILE, pathspecsBesideOwn } from '../text/own-files.ts';
import { quoted } from '../text/shell-words.ts';

/** The name of the check that ships: it fails while git has files that are not committed. */
export const CLEAN_TREE = 'clean-tree';

/** From the folder of the run, which need not be the top. Paths are git's, which `/` separates. */
const besideState = (stateDirectory: string | null): readonly string[] =>
  stateDirectory === null
    ? []
    : [LOOP_STATE_FILE, METRICS_FILE].map((name) => `:(exclude,literal)${stateDirectory}/${name}`);

/**
 * The command of the check: lists what is neither committed nor ignored in the whole repository, and fails where that
 * is anything. A monitor that the repository configures could hide files, and is not asked. `logNames`: the files of
 * the log, from the top folder of the worktree.
 */
export function cleanTreeCommand(stateDirectory: string | null = null, logNames: readonly string[] = []): string {
  const patterns = [...pathspecsBesideOwn(logNames), ...besideState(stateDirectory)].map(quoted).join(' ');
  return `${LIST}${patterns}${JUDGE}`;
}

const LIST = 'files=$(git -c core.fsmonitor=false status --porcelain --untracked-files=all -- ';
const SAYS = 'These files are not committed. Commit them, remove them, or let git ignore them:';
const JUDGE = `) || exit; [ -z "$files" ] || { printf '%s\\n' '${SAYS}' "$files"; exit 1; }`;

/**
 * Checks that ship leave the run's own files out. Where its state files are is known only with all options, and where
 * its log is only by the host.
 */
export const withOwnFiles = (
  checks: RunSettings['checks'],
  stateDirectory: string | null,
  logNames: readonly string[] = [],
): RunSettings['checks'] =>
  checks.map((check) =>
    isCleanTree(check) ? { ...check, command: cleanTreeCommand(stateDirectory, logNames) } : check,
  );

/** Whether a run has the check that ships, and not a command of its name. */
export const hasCleanTree = ({ checks }: Pick<RunSettings, 'checks'>): boolean => checks.some(isCleanTree);

/** Checks of the work, which a proof runs. A checkout cannot know what the workspace's git has not committed. */
export const checksOfWork = (checks: RunSettings['checks']): RunSettings['checks'] =>
  checks.filter((check) => !isCleanTree(check));

/** Checks of the workspace itself. */
export const checksOfWorkspace = (checks: RunSettings['checks']): RunSettings['checks'] => checks.filter(isCleanTree);

const isCleanTree = ({ command }: RunSettings['checks'][number]): boolean =>
  command.startsWith(LIST) && command.endsWith(JUDGE);
