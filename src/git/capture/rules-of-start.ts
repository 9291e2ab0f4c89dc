import { lstat, readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { OWN_PATTERNS } from '../../text/own-files.ts';
import { askGit, type GitCall, gitLine } from '../process/git.ts';
import { inputOf, listNames, namesIn, nameText } from '../process/git-names.ts';
import { keepJson, keptJson } from '../run-refs.ts';
import { together } from '../process/git-process.ts';
import { bytesOf } from '../workspace-path.ts';

// What git ignored when a run began decides what its captures leave out. With the rules of each moment, a run that
// edits `.gitignore` would seem to make every file that it reveals, and to remove every file that it hides.

/** A file of patterns. `path`: from the root; empty for those of no folder. Both latin1: names need not be text. */
const IgnoreSource = z.strictObject({ path: z.string(), text: z.string() });
const IgnoreRules = z.array(IgnoreSource);
export type IgnoreRules = z.infer<typeof IgnoreRules>;

const NAME = '.gitignore';
/** No worktree of a run is in a capture, whatever is in it. */
const WORKTREES = /(^|\/)\.loopfold\/worktrees\//;

const VISIBLE = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ':(top,glob)**/.gitignore'];
const IGNORED = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];

/**
 * The rules by which git ignores files at this moment. `known`: those when the run began; only then are folders that
 * ignore themselves, as caches do, not looked for again.
 */
export async function presentRules(known: IgnoreRules | null, call: GitCall): Promise<IgnoreRules> {
  const [info, global, visible, hidden] = await together([
    gitLine(['rev-parse', '--path-format=absolute', '--git-path', 'info/exclude'], call),
    askGit(['config', '--null', '--type=path', '--get', 'core.excludesFile'], call),
    listNames(VISIBLE, call),
    known ? known.map(({ path }) => path) : listNames(IGNORED, call).then((ignored) => hiddenIn(ignored, call)),
  ]);
  const [set = globalFile()] = namesIn(global.stdout).map(nameText);
  const paths = [...new Set([...visible, ...hidden])].filter((path) => path !== '' && !WORKTREES.test(path)).toSorted();
  const texts = await Promise.all([set, info].map(textOf));
  const sources = await Promise.all(
    paths.map(async (path) => ({ path, text: await textOf(bytesOf(call.directory, path)) })),
  );
  return [{ path: '', text: texts.join('\n') }, ...sources.filter(({ text }) => text !== '')];
}

const globalFile = (): string => join(process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'git/ignore');

/** Git reads no patterns through a symbolic link. */
async function textOf(path: string | Buffer): Promise<string> {
  const found = await lstat(path).catch(() => null);
  return found?.isFile() ? readFile(path, 'latin1').catch(() => '') : '';
}

/** The `.gitignore` files in folders that ignore themselves. */
async function hiddenIn(ignored: readonly string[], call: GitCall): Promise<readonly string[]> {
  const folders = ignored.filter((path) => path.endsWith('/') && !WORKTREES.test(path));
  const byOthers = folders.length === 0 ? new Set<string>() : await ignoredOf(folders, call);
  const found = ignored.filter((path) => path === NAME || path.endsWith(`/${NAME}`));
  for (const folder of folders) if (!byOthers.has(folder)) found.push(...(await ownRulesIn(folder, call.directory)));
  return found;
}

/** Which of these paths git ignores at this moment. */
export async function ignoredOf(paths: readonly string[], call: GitCall): Promise<ReadonlySet<string>> {
  const { stdout } = await askGit(['check-ignore', '-z', '--stdin'], { ...call, input: inputOf(paths) });
  return new Set(namesIn(stdout));
}

async function ownRulesIn(folder: string, root: string): Promise<readonly string[]> {
  const entries = await readdir(bytesOf(root, folder), { withFileTypes: true, encoding: 'buffer' }).catch(() => []);
  const named = entries.map((entry) => ({ name: entry.name.toString('latin1'), isFolder: entry.isDirectory() }));
  if (named.some(({ name }) => name === NAME)) return [`${folder}${NAME}`];
  const found: string[] = [];
  for (const { name, isFolder } of named) if (isFolder) found.push(...(await ownRulesIn(`${folder}${name}/`, root)));
  return found;
}

/** Keeps the rules that a run begins with. */
export const keepRules = (run: string, rules: IgnoreRules, call: GitCall): Promise<void> =>
  keepJson(run, 'rules', rules, call);

/** The rules that a run began with. Null where git keeps none. */
export async function rulesOf(run: string, call: GitCall): Promise<IgnoreRules | null> {
  return IgnoreRules.safeParse(await keptJson(run, 'rules', call)).data ?? null;
}

/** Of the rules those of no folder: what a user has git ignore beside the `.gitignore` files. In latin1. */
export const generalRules = (rules: IgnoreRules): string => rules.find(({ path }) => path === '')?.text ?? '';

/** The rules with what runs write themselves, as `excludeFile` has them. `leaveOut`: more of that, from the root. */
export const rulesFile = (rules: IgnoreRules, leaveOut: readonly string[]): string =>
  excludeFile(rules) +
  OWN_PATTERNS +
  leaveOut.map((path) => `${patternOf(Buffer.from(path).toString('latin1'))}\n`).join('');

/** The rules as one file of patterns, for `--exclude-from`, in latin1. Of two that match, the last one counts. */
export function excludeFile(rules: IgnoreRules): string {
  const depth = ({ path }: IgnoreRules[number]) => (path === '' ? -1 : path.split('/').length);
  const lines = rules
    .toSorted((one, other) => depth(one) - depth(other))
    .flatMap(({ path, text }) =>
      linesOf(text).flatMap((line) => anchored(line, path.split('/').slice(0, -1).join('/'))),
    );
  return lines.map((line) => `${line}\n`).join('');
}

const BYTE_ORDER_MARK = '\u00EF\u00BB\u00BF';

const linesOf = (text: string): readonly string[] =>
  (text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text).split(/\r?\n/);

/** A pattern of a folder's file as one of the root's. */
function anchored(line: string, folder: string): readonly string[] {
  if (line === '' || line.startsWith('#')) return [];
  if (folder === '') return [line];
  // No line can name it.
  if (folder.includes('\n')) return [];
  const [, not = '', pattern = ''] = /^(!?)(.*)$/s.exec(line) ?? [];
  const isOfFolder = pattern.trimEnd().replace(/\/$/, '').includes('/');
  const way = isOfFolder ? pattern.replace(/^\//, '') : `**/${pattern}`;
  return [`${not}${patternOf(folder)}/${way}`];
}

/** A pattern that means just one path from the root, in latin1. */
const patternOf = (path: string): string => `/${path.replace(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ')}`;
