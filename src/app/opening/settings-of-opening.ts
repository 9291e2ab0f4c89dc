import { isAgentModel } from '../../../machines/agent-model.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { descriptionLength } from '../../actors/model/token-estimate.ts';
import type { ToolSpec } from '../../actors/tool-spec.ts';
import type { Clock } from '../../actors/timer/clock.ts';
import { isCoder } from '../../config/agents/coder.ts';
import { CODER_VERSION, coderPrompt, coderSubject, type Surroundings } from '../../prompt/coder-prompt.ts';
import { askGit, lineOf } from '../../git/process/git.ts';
import { pathText } from '../../text/path-text.ts';

const MAX_BRANCH_CHARACTERS = 200;
const SHORT_COMMIT = 12;
/** Of an ISO time: its day. */
const DAY_CHARACTERS = 10;

/** Where and when a run begins. A folder that git does not know, or without git, is said to be none of git's. */
async function placeAndTimeOf(
  { directory, isolation }: Pick<RunSettings, 'directory' | 'isolation'>,
  clock: Clock,
): Promise<Surroundings> {
  const head = await headIn(isolation?.origin ?? directory).catch(() => 'none');
  return {
    platform: `${process.platform} ${process.arch}`,
    date: new Date(clock.now()).toISOString().slice(0, DAY_CHARACTERS),
    git: isolation ? `${head}; you work in a worktree of your own` : head,
  };
}

/** The branch, or the commit where none is checked out. */
async function headIn(directory: string): Promise<string> {
  const branch = await askGit(['symbolic-ref', '--quiet', '--short', 'HEAD'], { directory });
  if (branch.exitCode === 0) return `branch ${pathText(lineOf(branch.stdout), MAX_BRANCH_CHARACTERS)}`;
  const commit = await askGit(['rev-parse', '--verify', '--quiet', 'HEAD'], { directory });
  if (commit.exitCode !== 0) return 'none';
  return `no branch, commit ${lineOf(commit.stdout).slice(0, SHORT_COMMIT)}`;
}

/** What of a new run decides about its system prompt, beside its settings. */
export interface Opening {
  /** Its checks are to run in a clean checkout. */
  readonly isProven: boolean;
  readonly clock: Clock;
  /** Tools that every run with tools has, beside those that it names. */
  readonly offeredTools: readonly string[];
  readonly toolSpecs: (names: readonly string[]) => readonly ToolSpec[];
}

/**
 * The settings of a new run, with how long the descriptions of its tools are, and with the built-in system prompt where
 * its agent is the one that ships and no other prompt is given. Both are recorded with them: no later day, branch or
 * version of the program says anything else.
 */
export async function openedSettings(
  given: RunSettings,
  { isProven, clock, offeredTools, toolSpecs }: Opening,
): Promise<RunSettings> {
  // An agent of others has tools of its own.
  const hasOurs = given.tools.length > 0 && !isAgentModel(given.model);
  const tools = hasOurs ? [...new Set([...given.tools, ...offeredTools])] : given.tools;
  const settings = { ...given, tools, toolCharacters: descriptionLength(toolSpecs(tools)) };
  if (settings.system !== null || !isCoder(settings.agent)) return settings;
  const subject = coderSubject(settings, isProven, await placeAndTimeOf(settings, clock));
  return { ...settings, system: coderPrompt(subject), systemVersion: CODER_VERSION };
}
