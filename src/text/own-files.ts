import { join } from 'node:path';
import type { RunSettings } from '../../machines/settings.ts';

/**
 * What runs themselves write into a workspace, as patterns of git from any folder: it is no work of theirs. Anything
 * else in a folder `.loopfold` is of people, such as their agents. Logs of another name are hidden by its `.gitignore`.
 */
const OWN_FILES: readonly string[] = [
  '.loopfold/.gitignore',
  '.loopfold/*.db*',
  '.loopfold/*.db*/**',
  '.loopfold/worktrees/**',
  '.loopfold/proof/**',
  '.loopfold-*.draft',
  '.claude/ralph-loop.local.md',
];

/** Every path that one of these patterns means contains one of these. */
export const OWN_NAMES: readonly string[] = ['.loopfold', '.claude/ralph-loop.local.md'];

const anywhere: readonly string[] = OWN_FILES.map((pattern) => `**/${pattern}`);

/** The same as lines of a `.gitignore` in the top folder. */
export const OWN_PATTERNS: string = anywhere.map((pattern) => `${pattern}\n`).join('');

/** Pathspecs of what runs write, wherever git is asked. `paths`: more of that, from the top folder. */
export const ownPathspecs = (paths: readonly string[]): readonly string[] => pathspecs('top', paths);

/** Pathspecs of the whole worktree but for what runs write. */
export const pathspecsBesideOwn = (paths: readonly string[]): readonly string[] => [
  ':/',
  ...pathspecs('top,exclude', paths),
];

const pathspecs = (magic: string, paths: readonly string[]): readonly string[] => [
  ...anywhere.map((pattern) => `:(${magic},glob)${pattern}`),
  ...paths.map((path) => `:(${magic},literal)${path}`),
];

/** The name of a temporary file of an unfinished write, by 16 hexadecimal digits. */
export const draftOf = (digits: string): string => `.loopfold-${digits}.draft`;

/** Whether a name is that of a temporary file of an unfinished write, also one that a killed process left. */
export const isDraft = (name: string): boolean => /^\.loopfold-[\da-f]{16}\.draft$/.test(name);

/** The files of a state directory. */
export const LOOP_STATE_FILE = 'loop-state.json';
export const METRICS_FILE = 'metrics.json';

/** The paths of a run's state files in its workspace: no capture contains them. Empty where the run has none. */
export const stateFilesOf = ({ stateDirectory }: Pick<RunSettings, 'stateDirectory'>): readonly string[] =>
  stateDirectory == null ? [] : [LOOP_STATE_FILE, METRICS_FILE].map((name) => join(stateDirectory, name));
