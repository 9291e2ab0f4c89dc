import { askGitScript, factsCommand, factsText, type GitAnswer, type GitCall, GitError, lineOf } from './git.ts';
import { inputOf, namesIn } from './git-names.ts';
import { type TreeChange, treeChangesIn, TREE_CHANGES } from './tree-change.ts';

// A start of git by this process takes many times the CPU of one by a shell: what can be asked in one go is one script.

/** What a capture has to know of the folder that it is asked for. */
export const PLACE_FACTS = ['--show-toplevel', '--show-prefix', '--git-path index'];

/** What `PLACE_FACTS` were when they were asked for. Git confirms it, or recording fails as `rev-parse`. */
export interface ExpectedPlace {
  readonly directory: string;
  readonly facts: readonly string[];
}

/** Where a recorded tree goes. */
export interface Destination {
  /** Names the tree. Null: no ref. */
  readonly ref: string | null;
  /** The tree that changes are listed against. Null: none are. */
  readonly before: string | null;
}

/** What of the worktree is added to the index. */
export interface Added {
  readonly expected: ExpectedPlace | undefined;
  readonly pathspecs: readonly string[];
  /** Paths that are not, in latin1. */
  readonly excluded: readonly string[];
}

export interface Recorded {
  readonly hash: string;
  /** What git said of files it could not read; empty where it read all. */
  readonly unread: string;
  /** Empty where none were to be listed, and where there are none. */
  readonly changes: readonly TreeChange[];
}

const SHIFT = `
directory=$1 expected=$2 ref=$3 before=$4 rules=$5 seen=$6; shift 6
`;
const CONFIRM = `${SHIFT}
if [ -n "$expected" ]; then
  found=$(unset GIT_INDEX_FILE; "$@" -C "$directory" ${factsCommand(PLACE_FACTS).join(' ')} </dev/null) || exit
  [ "$found" = "$expected" ] || exit 1
fi
echo place`;
const add = (what: string) => `
"$@" add ${what} --sparse --ignore-errors --pathspec-from-file=- --pathspec-file-nul; added=$?
[ $added -le 1 ] || exit $added
echo $added`;
const WRITE = `
tree=$("$@" write-tree </dev/null) || exit
echo "$tree"
[ -z "$ref" ] || "$@" update-ref "$ref" "$tree" </dev/null || exit
if [ -n "$before" ] && [ "$tree" != "$before" ]; then
  "$@" ${TREE_CHANGES.join(' ')} "$before" "$tree" </dev/null
fi`;

/** Records the worktree as git itself would add it. What git cannot read is left out, and said. */
export async function recordWorktree(added: Added, destination: Destination, call: GitCall): Promise<Recorded> {
  const parameters = [...parametersOf(added.expected, destination), '', ''];
  const script = { lines: CONFIRM + add('--all') + WRITE, parameters };
  const answer = await askGitScript(script, { ...call, input: pathspecInput(added) });
  const { lines, rest } = read(answer, ['rev-parse', 'add', 'write-tree', 'update-ref']);
  const [, exit = '', hash = ''] = lines;
  return { hash, unread: unreadOf(exit, answer), changes: treeChangesIn(rest) };
}

/** Which files are ignored is decided by a file of patterns, and not by those in the worktree. */
export interface ByRules extends Added {
  /** The file of patterns. */
  readonly rules: string;
  /** What git said of its index the last time, see `Looked`. Null: it has not been asked yet. */
  readonly seen: string | null;
}

/** What an index still lacks after its own files were added again. */
export interface Looked {
  /** Differs where git ignores other files of the index now. */
  readonly seen: string;
  readonly unread: string;
  /** Names of files that are not in the index, and not ignored by the patterns. In latin1. */
  readonly others: readonly string[];
  /** There are no others, and the tree is recorded. Null: they are to be decided on. */
  readonly recorded: Recorded | null;
}

/** After it come names, until the end. */
const MORE = 'others';

const LOOK = `
now=$("$@" ls-files -z --cached --ignored --exclude-standard </dev/null | cksum) || exit
echo "$now"
[ -z "$seen" ] || [ "$now" = "$seen" ] || exit 0
"$@" ls-files -z --others --exclude-from="$rules" </dev/null >"$rules.others" || exit
if [ -s "$rules.others" ]; then echo ${MORE}; cat "$rules.others"; exit; fi
echo none`;

/**
 * Adds the files of an index again as they are now, and records it where there are no others. Null where git
 * ignores other files of it than when it was last asked.
 */
export async function lookAtWorktree(look: ByRules, destination: Destination, call: GitCall): Promise<Looked | null> {
  const lines = CONFIRM + add('--update') + LOOK + WRITE;
  const { rules, seen } = look;
  const parameters = [...parametersOf(look.expected, destination), rules, seen ?? ''];
  const answer = await askGitScript({ lines, parameters }, { ...call, input: pathspecInput(look) });
  const said = read(answer, ['rev-parse', 'add', 'ls-files', 'ls-files', 'write-tree', 'update-ref']);
  const [, exit = '', now = '', others, hash] = said.lines;
  if (others === undefined) return null;
  const unread = unreadOf(exit, answer);
  if (hash === undefined) return { seen: now, unread, others: namesIn(said.rest), recorded: null };
  return { seen: now, unread, others: [], recorded: { hash, unread, changes: treeChangesIn(said.rest) } };
}

const ADD_NAMES = '"$@" update-index --add --replace -z --stdin || exit';

/** Adds files to the index by their names, in latin1, and records it. Throws where one of them cannot be added. */
export async function recordWith(names: readonly string[], destination: Destination, call: GitCall): Promise<Recorded> {
  const parameters = [...parametersOf(undefined, destination), '', ''];
  const script = { lines: SHIFT + ADD_NAMES + WRITE, parameters };
  const answer = await askGitScript(script, { ...call, input: inputOf(names) });
  const { lines, rest } = read(answer, ['update-index', 'update-ref']);
  return { hash: lines[0] ?? '', unread: '', changes: treeChangesIn(rest) };
}

const parametersOf = (expected: ExpectedPlace | undefined, { ref, before }: Destination): readonly string[] => [
  expected?.directory ?? '',
  expected ? factsText(expected.facts) : '',
  ref ?? '',
  before ?? '',
];

const pathspecInput = ({ pathspecs, excluded }: Added): Buffer =>
  Buffer.concat([
    Buffer.from(pathspecs.join('\0')),
    Buffer.from(excluded.map((path) => `\0:(top,exclude,literal)${path.replace(/\/$/, '')}`).join(''), 'latin1'),
  ]);

const unreadOf = (exit: string, { stderr }: GitAnswer): string => (exit === '0' ? '' : stderr.trim());

/** The lines that scripts print, one a step, and what follows. `steps`: which call of git fails after so many lines. */
function read({ exitCode, stdout, stderr }: GitAnswer, steps: readonly string[]) {
  const said = Buffer.from(stdout);
  const lines: string[] = [];
  let start = 0;
  for (let end = said.indexOf('\n'); end >= 0 && lines.length < steps.length - 1; end = said.indexOf('\n', start)) {
    const line = lineOf(said.subarray(start, end));
    lines.push(line);
    start = end + 1;
    if (line === MORE) break;
  }
  if (exitCode !== 0) throw new GitError('git_failed', steps[lines.length] ?? '', stderr || `exit code ${exitCode}`);
  return { lines, rest: said.subarray(start) };
}
