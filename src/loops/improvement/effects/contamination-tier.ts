import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HeldOutSettings } from '../../../../machines/settings.ts';
import { HeldOutChangedError, heldOutFiles } from '../../../actors/proof/held-out-files.ts';
import { askGit, type GitCall, GitError } from '../../../git/process/git.ts';
import { treePatch } from '../../../git/tree-change.ts';
import { distinctiveLines, isContaminated, LineSearch } from '../evaluation/distinctive-lines.ts';
import type { Tier } from './candidate-tier.ts';

interface Searched {
  readonly heldOut: HeldOutSettings;
  readonly base: string;
  readonly tree: string;
  /** Tree of the head: its lines are no secret. */
  readonly head: string;
  /** What the experiment has said and been told. */
  readonly texts: AsyncIterable<string>;
}

/**
 * Looks for lines of the held-out files, and of their commands, in the change of a candidate and in what was recorded
 * of its experiment. The lines themselves are not told: the next experiment reads why this one was refused. Throws a
 * `HeldOutChangedError`, and a `GitError`.
 */
export async function contaminationTier({ heldOut, base, tree, head, texts }: Searched, call: GitCall): Promise<Tier> {
  const lines = distinctiveLines(await heldOutTexts(heldOut));
  const inChange = new LineSearch(lines);
  for await (const text of addedLines(base, tree, call)) inChange.look(text);
  const inTexts = new LineSearch(lines);
  // With `names` or `all` the agent is told by the checks themselves.
  if (heldOut.tells === 'count') for await (const text of texts) inTexts.look(text);
  const [change, said] = await Promise.all([
    unknownTo(head, inChange.found, call),
    unknownTo(head, inTexts.found, call),
  ]);
  const where = [
    ...(isContaminated(change, lines.length) ? [`its change (${change.length})`] : []),
    ...(isContaminated(said, lines.length) ? [`what its experiment read or said (${said.length})`] : []),
  ];
  const detail =
    where.length > 0
      ? `contaminated: lines of held-out checks are in ${where.join(' and in ')}`
      : `no line of ${lines.length} held-out ones that tell`;
  return { tier: 'contamination', kind: 'contamination', passed: where.length === 0, detail };
}

async function heldOutTexts({ from, digest, checks }: HeldOutSettings): Promise<readonly string[]> {
  const found = await heldOutFiles(from);
  if (found.kind === 'refused' || found.digest !== digest) throw new HeldOutChangedError(from);
  const texts = await Promise.all(found.files.map(({ path }) => readFile(join(found.from, path), 'utf8')));
  return [...texts, ...checks.map(({ command }) => command)];
}

/** Of a patch, in pieces that end where a line does. */
async function* addedLines(base: string, tree: string, call: GitCall): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of treePatch({ from: base, to: tree, leaveOut: [] }, call, true)) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter(isAdded);
  }
  if (isAdded(rest)) yield rest;
}

const isAdded = (line: string): boolean => line.startsWith('+');

const NOT_FOUND = 1;

/** Those of the lines that no file of a tree has. */
async function unknownTo(tree: string, lines: readonly string[], call: GitCall): Promise<readonly string[]> {
  const unknown: string[] = [];
  for (const line of lines) {
    // White space between words may be another in the file.
    const pattern = line.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(' ', '[[:space:]]+');
    const { exitCode, stderr } = await askGit(['grep', '-q', '-a', '-E', '-e', pattern, tree], call);
    if (exitCode > NOT_FOUND) throw new GitError('git_failed', 'grep', stderr);
    if (exitCode === NOT_FOUND) unknown.push(line);
  }
  return unknown;
}
