import type { ChangedPath, RunChange, NoChange } from '../../app/changes/run-change.ts';
import { grouped } from '../../text/money.ts';
import { amount, plain, leftOutText } from '../../projections/phrases.ts';
import { pathText } from '../../text/path-text.ts';
import { columns } from './table.ts';
import { decidingText } from '../../app/changes/settings-change-text.ts';
import { obstacleOf } from '../../app/running/obstacle.ts';
import { shortId } from '../args/find-run.ts';
import type { CommandWords } from './next-commands.ts';

const MAX_NAME_CHARS = 120;
const MAX_NAMED_FILES = 20;

type CountedLines = Pick<ChangedPath, 'added' | 'removed'>;

/** As in `3 files, +10 −2`. */
export function changeTotal(files: readonly CountedLines[]): string {
  const sum = (count: (file: CountedLines) => number | null) =>
    grouped(files.reduce((total, file) => total + (count(file) ?? 0), 0));
  return `${amount(files.length, 'file')}, +${sum(({ added }) => added)} −${sum(({ removed }) => removed)}`;
}

/** One line for each file, then the total. */
export const statLines = (files: readonly ChangedPath[]): string[] => [
  ...columns(files.map((file) => [file.status, countsOf(file), pathText(file.path, MAX_NAME_CHARS)])),
  ...(files.length === 0 ? [] : [changeTotal(files)]),
];

/** Which states are compared, and what to know of them. */
export function sideLines({ run, from, to, files, uncaptured, leftOut, deciding }: RunChange): string[] {
  const notes = [from.note, to.note].filter((note) => note !== null);
  const total = files.length === 0 ? 'no file differs' : changeTotal(files);
  const lines = [
    ...leftOut.map(({ path, because }) => `not captured: ${pathText(path, MAX_NAME_CHARS)} (${because})`),
    ...uncaptured.map((path) => `not captured, in another repository: ${pathText(path, MAX_NAME_CHARS)}`),
  ];
  const named = lines.slice(0, MAX_NAMED_FILES);
  const more = lines.length - named.length;
  return [
    `run ${run}, from ${from.name} to ${to.name}: ${total}`,
    ...notes,
    ...(deciding.length === 0 ? [] : [`later runs go by: ${deciding.map(({ path }) => plain(path)).join(', ')}`]),
    ...named,
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

const countsOf = ({ binary, added, removed }: ChangedPath): string =>
  binary ? 'binary' : `+${grouped(added ?? 0)} −${grouped(removed ?? 0)}`;

/** What a run has changed, maybe nothing; null where its captures or its repository are not there. */
export async function knownChange(diff: () => Promise<RunChange | NoChange>): Promise<RunChange | null> {
  try {
    const change = await diff();
    return change.kind === 'change' ? change : null;
  } catch (error) {
    if (obstacleOf(error) === 'environment') return null;
    throw error;
  }
}

/** The last lines of a run's page. */
export function changeLines(
  { run, files, leftOut, deciding }: RunChange,
  isIsolated: boolean,
  command: string,
): string[] {
  return [
    ...(files.length === 0 ? [] : [`\n  change  ${changeTotal(files)}: ${command}`]),
    ...(leftOut.length === 0 ? [] : [`\n  not captured: ${leftOutText(leftOut)}`]),
    ...(deciding.length === 0 ? [] : [`\n  ${plain(decidingText(run, deciding, isIsolated))}`]),
  ];
}

/** To see the change, and to take it over or back. `isIsolated`: the user's folder does not have it yet. */
export function changeCommands({ run, files }: RunChange, isIsolated: boolean): readonly CommandWords[] {
  if (files.length === 0) return [];
  const id = shortId(run);
  return [
    ['diff', id],
    [isIsolated ? 'apply' : 'undo', id],
  ];
}
