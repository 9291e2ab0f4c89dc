import { askGit, askGitScript, git, type GitCall, gitLine, refused } from '../process/git.ts';
import { inputOf, namesIn } from '../process/git-names.ts';
import { type ContentCall, ofContent } from './raw-repository.ts';
import { TREE_CHANGES, type TreeChange, treeChanges, treeChangesIn } from '../tree-change.ts';

// Files are read, and trees written, under the git directory of ours; refs and rules of what to ignore are the user's.

/** Where a recorded tree goes. */
export interface Destination {
  /** Names the tree. Null: no ref. */
  readonly ref: string | null;
  /** The tree that changes are listed against. Null: none are. */
  readonly before: string | null;
  /** The index has files that are not in the worktree, as in a sparse checkout: git may lack their content. */
  readonly isSparse: boolean;
}

/** What of the worktree is added to the index. */
export interface Added {
  readonly pathspecs: readonly string[];
  /** Paths that are not, in latin1. */
  readonly excluded: readonly string[];
  /** Other repositories, in latin1: of them the commit is added, which git reads from their files. */
  readonly links: readonly string[];
}

export interface Recorded {
  readonly hash: string;
  /** Empty where none were to be listed, and where there are none. */
  readonly changes: readonly TreeChange[];
}

const ADDING = ['--sparse', '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul'];

/**
 * Adds what git does not ignore now to the index. Returns what git said of files it could not read, and left out; empty
 * where it read all. `excludes`: a file with the patterns of the user beside the `.gitignore` files that are there.
 */
export async function addWorktree(added: Added, excludes: string, of: ContentCall): Promise<string> {
  const call = { ...ofContent(of), settings: [`core.excludesFile=${excludes}`] };
  const answer = await askGit(['add', '--all', ...ADDING], { ...call, input: pathspecInput(added) });
  if (answer.exitCode > 1) throw refused('add', answer);
  await addLinks(added, call);
  return answer.exitCode === 0 ? '' : answer.stderr.trim();
}

/** A monitor or filter of another repository would run where git asks whether its files have changed. */
const addLinks = ({ links, excluded }: Added, call: GitCall): Promise<void> =>
  addNames(
    links.filter((link) => !excluded.includes(link)),
    ['--remove'],
    call,
  );

/** An index after its own files were added again as they are now. */
export interface Updated {
  /** Differs where git ignores other files of the index now. */
  readonly seen: string;
  /** The words of git on files it could not read; empty where it read all. */
  readonly unread: string;
  /** Names of files that are not in the index, and not ignored by the patterns. In latin1. */
  readonly others: readonly string[];
  /** There are no others, and the tree is recorded. Null: they are to be decided on. */
  readonly recorded: Recorded | null;
}

/**
 * `raw "$@" …` is a call under the git directory of ours, and `"$@" …` under the user's. What is asked beside `add` may
 * see files that it removes from the index: then the next capture begins anew.
 */
const UPDATE = `
raw_directory=$1 raw_worktree=$2 raw_objects=$3 ref=$4 before=$5 missing=$6 rules=$7 seen=$8; shift 8
raw() {
  GIT_DIR=$raw_directory GIT_WORK_TREE=$raw_worktree GIT_OBJECT_DIRECTORY=$raw_objects \\
  GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_COUNT=0 "$@"
}
"$@" ls-files -z --cached --ignored --exclude-standard </dev/null 2>/dev/null | cksum >"$rules.now" & asked=$!
raw "$@" add --update ${ADDING.join(' ')}; added=$?
[ $added -le 1 ] || exit $added
wait $asked || exit
now=$(cat "$rules.now")
echo "$added $now"
[ -z "$seen" ] || [ "$now" = "$seen" ] || exit 0
"$@" ls-files -z --others --exclude-from="$rules" </dev/null >"$rules.others" || exit
if [ -s "$rules.others" ]; then cat "$rules.others"; exit; fi
tree=$(raw "$@" write-tree $missing </dev/null) || exit
printf '\\0%s\\n' "$tree"
[ -z "$ref" ] || "$@" update-ref "$ref" "$tree" </dev/null || exit
if [ -n "$before" ] && [ "$tree" != "$before" ]; then "$@" ${TREE_CHANGES.join(' ')} "$before" "$tree" </dev/null; fi`;

/**
 * Adds the files of an index again as they are now, and records it where there are no others. `rules`: a file of
 * patterns that decides what is ignored. Null where git ignores other files of it than in `seen`, if that is not null.
 *
 * Every start of git by this process takes 4 ms of CPU more than one by a shell. This is for each iteration.
 */
export async function updateIndex(
  added: Added,
  { rules, seen }: { readonly rules: string; readonly seen: string | null },
  { ref, before, isSparse }: Destination,
  call: ContentCall,
): Promise<Updated | null> {
  await addLinks(added, ofContent(call));
  const { gitDirectory, worktree, objects } = call.content;
  const raw = [gitDirectory, worktree, objects];
  const parameters = [...raw, ref ?? '', before ?? '', isSparse ? '--missing-ok' : '', rules, seen ?? ''];
  const answer = await askGitScript({ lines: UPDATE, parameters }, { ...call, input: pathspecInput(added) });
  const { exitCode, stdout, stderr } = answer;
  if (exitCode !== 0) throw refused('add', answer);
  const said = Buffer.from(stdout).toString('latin1');
  const [, exit, now = '', rest = ''] = /^(\d+) ([^\n]*)\n(.*)$/s.exec(said) ?? [];
  if (seen !== null && now !== seen) return null;
  const unread = exit === '0' ? '' : stderr.trim();
  const [, hash, changes = ''] = /^\0(.*?)\n(.*)$/s.exec(rest) ?? [];
  if (hash === undefined) return { seen: now, unread, others: namesIn(Buffer.from(rest, 'latin1')), recorded: null };
  return { seen: now, unread, others: [], recorded: { hash, changes: treeChangesIn(Buffer.from(changes, 'latin1')) } };
}

/** Adds files to the index by their names, in latin1. Throws where one of them cannot be added. */
export async function addNames(names: readonly string[], options: readonly string[], call: GitCall): Promise<void> {
  if (names.length === 0) return;
  await git(['update-index', '--add', ...options, '--replace', '-z', '--stdin'], { ...call, input: inputOf(names) });
}

/** Records the index as a tree. */
export async function recordIndex({ ref, before, isSparse }: Destination, call: ContentCall): Promise<Recorded> {
  const hash = await gitLine(['write-tree', ...(isSparse ? ['--missing-ok'] : [])], ofContent(call));
  if (ref !== null) await git(['update-ref', ref, hash], call);
  return { hash, changes: before === null || before === hash ? [] : await treeChanges(before, hash, call) };
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
