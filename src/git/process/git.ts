import type { GitFailure, GitScript, GitStart } from './git-child.ts';
import { runGit, streamGit } from './git-process.ts';
import { ownEnvironment } from '../../text/own-programs.ts';
import { namesSecret } from '../../log/secret-variables.ts';

const GIT_TIMEOUT_MS = 120_000;
const MAX_GIT_OUTPUT_BYTES = 64 * 1024 * 1024;
const MAX_GIT_ERROR_BYTES = 64 * 1024;
const MAX_MESSAGE_CHARACTERS = 2_000;

/**
 * Of the caller's git environment only what says where git and its configuration are, and where it logs what it does:
 * the rest would redirect it.
 */
const PASSED_GIT_VARIABLE = /^GIT_(CONFIG|EXEC_PATH$|CEILING_DIRECTORIES$|TRACE2_EVENT$)/;

/**
 * No hook and no daemon runs on our account, and no setting makes git refuse what it is to record. As in a sparse
 * checkout, git looks at files that someone has told it to skip, if they are there.
 */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.safecrlf=false',
  'core.sparseCheckout=true',
  'core.splitIndex=false',
  'core.untrackedCache=false',
  'index.sparse=false',
  'core.logAllRefUpdates=false',
];

/** A git directory of ours over the objects of a repository (raw-repository.ts). All absolute. */
export interface RawRepository {
  readonly gitDirectory: string;
  readonly objects: string;
  /** Of its hashes, such as `sha1`. */
  readonly format: string;
  readonly worktree: string;
}

/** A repository, and the folder that is its worktree now, whatever its own settings say. Both absolute. */
export interface RepositoryOf {
  readonly gitDirectory: string;
  readonly worktree: string;
}

export interface GitCall {
  readonly directory: string;
  readonly signal?: AbortSignal | undefined;
  /** Used in place of the worktree's own index. */
  readonly index?: string;
  /** Used in place of the repository that the directory lies in. */
  readonly repository?: RepositoryOf | undefined;
  /** Used in place of every repository, with none of the settings and attributes of the user. */
  readonly raw?: RawRepository | undefined;
  /** Git may get objects that a partial clone lacks, by the commands that its configuration names. Else it fails. */
  readonly mayFetch?: boolean;
  /** How long it may take, in milliseconds. Absent: two minutes. */
  readonly timeoutMs?: number;
  /** Settings for this call alone, as `name=value`. */
  readonly settings?: readonly string[];
  readonly input?: Uint8Array;
}

export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: string;
}

/** Git could not do what it was asked to. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly code: 'git_missing' | 'git_stopped' | 'git_timed_out' | 'git_failed';
  readonly command: string;

  constructor(code: GitError['code'], command: string, message: string) {
    super(`git ${command}: ${message.trim().slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed()}`);
    this.code = code;
    this.command = command;
  }
}

/** Runs git; the caller interprets the exit code. Throws a `GitError` if git cannot be run. */
export const askGit = (args: readonly string[], call: GitCall): Promise<GitAnswer> =>
  answered(args[0] ?? '', started(args, call), call.timeoutMs);

/** Runs git several times under one shell; the script decides the exit code. Throws as `askGit` does. */
export const askGitScript = (script: GitScript, call: GitCall): Promise<GitAnswer> =>
  answered('script', { ...started([], call), script });

async function answered(command: string, start: GitStart, timeoutMs = GIT_TIMEOUT_MS): Promise<GitAnswer> {
  const ending = await runGit({ ...start, timeoutMs, maxOutputBytes: MAX_GIT_OUTPUT_BYTES });
  if (ending.kind === 'exited') return { ...ending, stderr: new TextDecoder().decode(ending.stderr) };
  throw failure(ending, command, timeoutMs);
}

function started(args: readonly string[], call: GitCall): GitStart {
  const { directory, signal, input } = call;
  const settings = [...SETTINGS, ...(call.settings ?? [])].flatMap((setting) => ['-c', setting]);
  return { args: ['-C', directory, ...settings, ...args], environment: environment(call), input, signal };
}

function failure(why: GitFailure, command: string, timeoutMs = GIT_TIMEOUT_MS): GitError {
  switch (why.kind) {
    case 'stopped':
      return new GitError('git_stopped', command, 'told to stop');
    case 'timed_out':
      return new GitError('git_timed_out', command, `no answer within ${timeoutMs} ms`);
    case 'missing':
      return new GitError('git_missing', command, 'install git, or put it on the PATH');
    case 'failed':
      return new GitError('git_failed', command, why.reason);
  }
}

/** What git prints. Throws a `GitError` for any exit code but 0. */
export async function git(args: readonly string[], call: GitCall): Promise<Uint8Array> {
  const answer = await askGit(args, call);
  if (answer.exitCode === 0) return answer.stdout;
  throw refused(args[0] ?? '', answer);
}

/** The error for an answer whose exit code the caller did not expect. */
export const refused = (command: string, { exitCode, stderr }: Omit<GitAnswer, 'stdout'>): GitError =>
  new GitError('git_failed', command, stderr || `exit code ${exitCode}`);

/**
 * What git prints, piece by piece while it prints it: none of it is kept. Throws as `git` does, after what was printed
 * until then.
 */
export async function* gitStream(args: readonly string[], call: GitCall): AsyncGenerator<Uint8Array, void> {
  const [command = ''] = args;
  const ending = yield* streamGit({
    ...started(args, call),
    silenceMs: GIT_TIMEOUT_MS,
    maxErrorBytes: MAX_GIT_ERROR_BYTES,
  });
  if (ending.kind !== 'exited') throw failure(ending, command);
  if (ending.exitCode !== 0) throw refused(command, ending);
}

/** What git prints where it is one line: an object's name, a path, which may itself hold line ends. */
export async function gitLine(args: readonly string[], call: GitCall): Promise<string> {
  return lineOf(await git(args, call));
}

/** Git repeats an option it does not know on a line of its own: it keeps apart paths, which may hold line ends. */
const SEPARATOR = '--and';
const BETWEEN_FACTS = `\n${SEPARATOR}\n`;

/**
 * What git knows about a place, each option of `rev-parse` an answer, with one process for all of them. Throws a
 * `GitError`, as `git` does.
 *
 * @example
 * const [root, index] = await gitFacts(['--show-toplevel', '--git-path index'], { directory });
 */
export async function gitFacts(options: readonly string[], call: GitCall): Promise<readonly string[]> {
  const asked = options.flatMap((option, index) => [...(index === 0 ? [] : [SEPARATOR]), ...option.split(' ')]);
  const said = await gitLine(['rev-parse', '--path-format=absolute', ...asked], call);
  const facts = said.split(BETWEEN_FACTS);
  if (facts.length === options.length) return facts;
  throw new GitError('git_failed', 'rev-parse', `${said} is not one answer for each of ${options.join(', ')}`);
}

export const lineOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes).replace(/\n$/, '');

function environment({ index, repository, raw, mayFetch = false }: GitCall): NodeJS.ProcessEnv {
  // Commands of an agent could read it while git runs. What fetches may need a token.
  const isPassed = (name: string) =>
    (mayFetch || !namesSecret(name)) && (!name.startsWith('GIT_') || isPassedGit(name, raw !== undefined));
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => isPassed(name))),
    ...ownEnvironment(),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    ...(!mayFetch && { GIT_ALLOW_PROTOCOL: '' }),
    ...(index !== undefined && { GIT_INDEX_FILE: index }),
    ...(repository && { GIT_DIR: repository.gitDirectory, GIT_WORK_TREE: repository.worktree }),
    ...(raw && rawEnvironment(raw)),
  };
}

const isPassedGit = (name: string, isRaw: boolean): boolean =>
  PASSED_GIT_VARIABLE.test(name) && !(isRaw && name.startsWith('GIT_CONFIG'));

const rawEnvironment = ({ gitDirectory, worktree, objects }: RawRepository): NodeJS.ProcessEnv => ({
  GIT_DIR: gitDirectory,
  GIT_WORK_TREE: worktree,
  GIT_OBJECT_DIRECTORY: objects,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
});
