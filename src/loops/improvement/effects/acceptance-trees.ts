import { randomBytes, randomInt } from 'node:crypto';
import { posix, relative, sep } from 'node:path';
import type { Discovery, AcceptanceTest } from '../../../../machines/improvement-facts.ts';
import type { Isolation } from '../../../../machines/settings.ts';
import { askGit, type GitCall, gitLine } from '../../../git/process/git.ts';
import { textOf } from '../../../git/object-text.ts';
import { type TreeEntries, treeEntries } from '../../../git/tree-change.ts';
import { mustFail } from '../../../evidence/control/must-fail.ts';
import { isCode } from '../planning/planner-files.ts';
import { acceptancePath } from '../witness/acceptance-path.ts';
import { sourceTexts } from '../witness/source-texts.ts';
import { withoutTodo } from '../witness/without-todo.ts';
import type { WrittenTest } from '../witness/acceptance-answer.ts';
import { withMergedTree } from '../../../git/bring/bring-plan.ts';

/** Files to be put into a tree, by their names as git has them. */
export type Texts = ReadonlyMap<string, string>;

/** Writes a tree with these files in place of what it has there, or beside it. Throws a `GitError`. */
async function treeWith(tree: string, texts: Texts, entries: TreeEntries | null, call: GitCall): Promise<string> {
  const steps = await Promise.all(
    [...texts].map(async ([name, text]) => {
      const hash = await gitLine(['hash-object', '-w', '--stdin'], { ...call, input: Buffer.from(text) });
      const now = entries?.get(name) ?? null;
      return { name, path: name, now, next: { mode: now?.mode ?? '100644', hash }, isMerged: false };
    }),
  );
  return withMergedTree(tree, steps, call, async ({ hash }) => hash);
}

/** The head with an acceptance test in it: what its experiment begins with. */
export const headWithTest = (
  head: string,
  { path, text }: Pick<AcceptanceTest, 'path' | 'text'>,
  call: GitCall,
): Promise<string> => treeWith(head, new Map([[nameOf(path), text]]), null, call);

/** A path as git has it: each byte one character. */
const nameOf = (path: string): string => Buffer.from(path, 'utf8').toString('latin1');

const WORD_BYTES = 6;
const MAX_NUMBER = 100_000;

/** The head with a written test: what the test is run on before any work. */
export interface AcceptanceTrees {
  /** From the top of the repository. */
  readonly path: string;
  /** The hash of the head with the test. */
  readonly tree: string;
  /** The same with tests that must fail in its file, and without the TODO comment that asks for the work. */
  readonly controlled: string;
  /** Parts of the names of the tests that must fail. */
  readonly labels: readonly string[];
}

interface Place {
  /** The folder of the workspace, and the worktree of the loop. */
  readonly directory: string;
  readonly isolation: Isolation;
  readonly head: string;
  readonly git: GitCall;
}

/** Writes both trees, or says why the test cannot lie there. Throws a `GitError`. */
export async function acceptanceTrees(
  discovery: Discovery,
  written: WrittenTest,
  { directory, isolation, head, git }: Place,
): Promise<AcceptanceTrees | { readonly refused: string }> {
  const entries = await treeEntries(head, git);
  const folder = relative(isolation.top, directory).split(sep).join('/');
  const placed = await placedTest(written, { folder, entries }, isolation);
  if ('refused' in placed) return placed;
  const { path } = placed;
  const { text } = written;
  const [read] = sourceTexts(path, text, (one) => isCode(one) && entries.has(nameOf(one)));
  if (read !== undefined)
    return {
      refused: `its test ${path} reads the text of ${read}: a test says what the code does, not how it is written`,
    };
  const numbers = [randomInt(MAX_NUMBER), MAX_NUMBER + 1] as const;
  const control = mustFail(path, text, { word: `k${randomBytes(WORD_BYTES).toString('hex')}`, numbers });
  if (control === null)
    return { refused: `its test ${path} is in a language in which no test that must fail is known` };
  return {
    path,
    tree: await headWithTest(head, { path, text }, git),
    controlled: await controlTree(head, { path, text: control.added }, discovery, { folder, entries }, git),
    labels: control.labels,
  };
}

interface Head {
  readonly folder: string;
  readonly entries: TreeEntries;
}

async function placedTest({ path: asked }: WrittenTest, { folder, entries }: Head, { top }: { readonly top: string }) {
  // Some file systems find a file by a name in other letters.
  const there = new Set([...entries.keys()].map((name) => name.toLowerCase()));
  const placed = acceptancePath(asked, { folder, isThere: (path) => there.has(nameOf(path).toLowerCase()) });
  if ('refused' in placed) return placed;
  const { exitCode } = await askGit(['check-ignore', '-q', '--no-index', '--', placed.path], { directory: top });
  return exitCode === 0 ? { refused: `its test ${placed.path} is a file that git ignores` } : placed;
}

/** The head with the test and its controls, and without the comment that asks for the work. */
async function controlTree(
  head: string,
  { path, text }: WrittenTest,
  { source, file, fingerprint }: Discovery,
  { folder, entries }: Head,
  git: GitCall,
): Promise<string> {
  const texts = new Map([[nameOf(path), text]]);
  const name = source === 'todos' && file !== undefined ? nameOf(posix.join(folder, file)) : null;
  const entry = name === null ? undefined : entries.get(name);
  const asking = entry?.mode.startsWith('100') ? await textOf(entry.hash, git) : null;
  if (asking !== null && name !== null && file !== undefined) texts.set(name, withoutTodo(file, asking, fingerprint));
  return treeWith(head, texts, entries, git);
}
