import { writeFile } from 'node:fs/promises';
import { askGitScript, factsCommand, factsText, type GitAnswer, GitError, lineOf } from './git.ts';
import { inputOf, namesIn } from './git-names.ts';
import { type ContentCall, RAW_CALLS, rawParameters, STORE_FACTS } from './raw-repository.ts';
import { type TreeChange, treeChangesIn, TREE_CHANGES } from './tree-change.ts';

// A start of git by this process takes many times the CPU of one by a shell: what can be asked in one go is one script.
// Files are read, and trees written, under the git directory of ours; refs and rules of what to ignore are the user's.

/** What a capture has to know of the folder that it is asked for. */
export const PLACE_FACTS = ['--show-toplevel', '--show-prefix', '--git-path index', ...STORE_FACTS];

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
  /** Other repositories, in latin1: of them the commit is added, which git reads from their files. */
  readonly links: readonly string[];
  /** The index has files that are not in the worktree, as in a sparse checkout: git may lack their content. */
  readonly isSparse: boolean;
}

export interface Recorded {
  readonly hash: string;
  /** What git said of files it could not read; empty where it read all. */
  readonly unread: string;
  /** Empty where none were to be listed, and where there are none. */
  readonly changes: readonly TreeChange[];
}

const SHIFT = `${RAW_CALLS}
directory=$1 expected=$2 ref=$3 before=$4 missing=$5 rules=$6 seen=$7; shift 7
`;
const CONFIRM = `${SHIFT}
if [ -n "$expected" ]; then
  found=$(unset GIT_INDEX_FILE; "$@" -C "$directory" ${factsCommand(PLACE_FACTS).join(' ')} </dev/null) || exit
  [ "$found" = "$expected" ] || exit 1
fi
echo place`;
/** A monitor or filter of another repository would run where git asks whether its files have changed. */
const LINKS = `
if [ -s "$GIT_INDEX_FILE.links" ]; then
  raw "$@" update-index --add --remove --replace -z --stdin <"$GIT_INDEX_FILE.links" || exit
fi`;
const add = (what: string) => `
raw "$@" ${what} --sparse --ignore-errors --pathspec-from-file=- --pathspec-file-nul; added=$?
[ $added -le 1 ] || exit $added
${LINKS}
echo $added`;
const WRITE = `
tree=$(raw "$@" write-tree $missing </dev/null) || exit
echo "$tree"
[ -z "$ref" ] || "$@" update-ref "$ref" "$tree" </dev/null || exit
if [ -n "$before" ] && [ "$tree" != "$before" ]; then
  "$@" ${TREE_CHANGES.join(' ')} "$before" "$tree" </dev/null
fi`;

/** Beside the `.gitignore` files that are there. */
export interface ByPresentRules extends Added {
  /** A file with the other patterns of the user: `info/exclude` and `core.excludesFile`. */
  readonly excludes: string;
}

/** Records the worktree with what git ignores now. What git cannot read is left out, and said. */
export async function recordWorktree(
  added: ByPresentRules,
  destination: Destination,
  call: ContentCall,
): Promise<Recorded> {
  const parameters = [...parametersOf(added, destination, call), added.excludes, ''];
  const script = { lines: CONFIRM + add('-c core.excludesFile="$rules" add --all') + WRITE, parameters };
  await writeLinks(added, call);
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

/** Beside what comes next. It may see files that are removed by that: then the next capture begins anew. */
const ASK_IGNORED = `
"$@" ls-files -z --cached --ignored --exclude-standard </dev/null 2>/dev/null | cksum >"$rules.now" & asked=$!`;
const LOOK = `
wait $asked || exit
now=$(cat "$rules.now")
echo "$now"
[ -z "$seen" ] || [ "$now" = "$seen" ] || exit 0
"$@" ls-files -z --others --exclude-from="$rules" </dev/null >"$rules.others" || exit
if [ -s "$rules.others" ]; then echo ${MORE}; cat "$rules.others"; exit; fi
echo none`;

/**
 * Adds the files of an index again as they are now, and records it where there are no others. Null where git
 * ignores other files of it than when it was last asked.
 */
export async function lookAtWorktree(
  look: ByRules,
  destination: Destination,
  call: ContentCall,
): Promise<Looked | null> {
  const lines = CONFIRM + ASK_IGNORED + add('add --update') + LOOK + WRITE;
  const { rules, seen } = look;
  const parameters = [...parametersOf(look, destination, call), rules, seen ?? ''];
  await writeLinks(look, call);
  const answer = await askGitScript({ lines, parameters }, { ...call, input: pathspecInput(look) });
  const said = read(answer, ['rev-parse', 'add', 'ls-files', 'ls-files', 'write-tree', 'update-ref']);
  const [, exit = '', now = '', others, hash] = said.lines;
  if (others === undefined) return null;
  const unread = unreadOf(exit, answer);
  if (hash === undefined) return { seen: now, unread, others: namesIn(said.rest), recorded: null };
  return { seen: now, unread, others: [], recorded: { hash, unread, changes: treeChangesIn(said.rest) } };
}

const ADD_NAMES = 'raw "$@" update-index --add --replace -z --stdin || exit';

/** Adds files to the index by their names, in latin1, and records it. Throws where one of them cannot be added. */
export async function recordWith(
  names: readonly string[],
  { isSparse, ...destination }: Destination & Pick<Added, 'isSparse'>,
  call: ContentCall,
): Promise<Recorded> {
  const parameters = [...parametersOf({ expected: undefined, isSparse }, destination, call), '', ''];
  const script = { lines: SHIFT + ADD_NAMES + WRITE, parameters };
  const answer = await askGitScript(script, { ...call, input: inputOf(names) });
  const { lines, rest } = read(answer, ['update-index', 'update-ref']);
  return { hash: lines[0] ?? '', unread: '', changes: treeChangesIn(rest) };
}

const parametersOf = (
  { expected, isSparse }: Pick<Added, 'expected' | 'isSparse'>,
  { ref, before }: Destination,
  { content }: ContentCall,
): readonly string[] => [
  ...rawParameters(content),
  expected?.directory ?? '',
  expected ? factsText(expected.facts) : '',
  ref ?? '',
  before ?? '',
  isSparse ? '--missing-ok' : '',
];

/** Before the script, which reads it. Few worktrees have other repositories. */
async function writeLinks({ links, excluded }: Added, { index }: ContentCall): Promise<void> {
  if (links.length === 0) return;
  const left = new Set(excluded);
  await writeFile(`${index}.links`, inputOf(links.filter((link) => !left.has(link))));
}

const pathspecInput = ({ pathspecs, excluded, links }: Added): Buffer =>
  Buffer.from(
    [
      ...pathspecs.map((pathspec) => Buffer.from(pathspec).toString('latin1')),
      ...[...excluded, ...links].map((path) => `${LITERALLY}${path.replace(/\/$/, '')}`),
    ]
      .flatMap(unnoticed)
      .join('\0'),
    'latin1',
  );

const LITERALLY = ':(top,exclude,literal)';

/**
 * `git add` fails over a path that it is told to leave out, and that it ignores anyway, unless that is a pattern from
 * its first character on.
 */
function unnoticed(pathspec: string): readonly string[] {
  if (!pathspec.startsWith(LITERALLY)) return [pathspec];
  const [first = '', ...rest] = pathspec.slice(LITERALLY.length);
  const pattern = `:(top,exclude,glob)\\${first}${rest.join('').replace(/[\\*?[\]]/g, '\\$&')}`;
  return [pattern, `${pattern}/**`];
}

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
