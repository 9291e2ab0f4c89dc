import { lackLines } from '../../evidence/checkout-lacks.ts';
import type { Ground } from '../../evidence/classify-grounds.ts';
import type { InheritedGround } from '../../../machines/settings.ts';
import { CONVENTION_REASONS } from '../../evidence/ground-patterns.ts';
import type { FileKeys } from '../../evidence/key-grounds.ts';
import type { KnownLacks } from '../../app/start/lacks-of-checkout.ts';
import type { Unseen, WorkspaceGrounds } from '../../app/start/workspace-grounds.ts';
import { oneLine } from '../../projections/phrases.ts';
import { amount, grouped } from '../../text/money.ts';
import { columns } from './table.ts';

const MAX_NAME_CHARS = 200;
/** How many paths stand for all of a kind, unless all are asked for. */
const EXAMPLES = 3;
const KEYED_FILES = 5;

interface Wanted {
  /** Every file, with its reason. */
  readonly isWhole: boolean;
  readonly hasChecks: boolean;
  /** Those that earlier runs changed, and no person has approved. */
  readonly left: readonly InheritedGround[];
  /** Those that others have changed since. */
  readonly others: readonly InheritedGround[];
  /** What a checkout lacks. */
  readonly lacking: KnownLacks;
}

/** What checks rest on, as a page. */
export function groundLines(
  found: WorkspaceGrounds,
  { isWhole, hasChecks, left, others: theirs, lacking }: Wanted,
): readonly string[] {
  const { grounds, files, released } = found;
  const most = isWhole ? Infinity : EXAMPLES;
  const others: (readonly string[])[] = [
    ['released by unprotect', ...counted(released, most)],
    ['installed dependencies', ...counted(found.dependencies, most)],
    ['build output and caches', ...counted(found.made, most)],
  ];
  return [
    `${grouped(grounds.size)} of ${amount(files, 'file')} ${grounds.size === 1 ? 'is a ground' : 'are grounds'}: what checks rest on`,
    '',
    ...columns(isWhole ? fileRows(grounds) : reasonRows(grounds)),
    ...section('by their keys', columns(keyRows(found.keys, isWhole ? Infinity : KEYED_FILES))),
    ...section('not grounds', columns(others.filter((row) => row.length > 1).map(indented))),
    ...section('not looked into', columns(unseenRows(found.unseen, most).map(indented))),
    ...section(
      'not in a checkout',
      lackLines(lacking.lacks, lacking.build).map((line) => `  ${shown(line)}`),
    ),
    ...leftLines(left),
    ...othersLines(theirs),
    ...notes(found, hasChecks),
  ];
}

/** A run with checks goes by what was there before. */
const leftLines = (left: readonly InheritedGround[]): readonly string[] =>
  left.length === 0
    ? []
    : [
        '',
        'changed by earlier runs, and approved by no person: checks go by what was there before',
        ...columns(left.map(({ path, run }) => [`  ${shown(path)}`, `loopfold approve ${run} grounds`])),
      ];

const othersLines = (others: readonly InheritedGround[]): readonly string[] =>
  section(
    'changed by an earlier run, and by others since: checks go by what is there now',
    columns(others.map(({ path, run }) => [`  ${shown(path)}`, `run ${run}`])),
  );

const section = (title: string, rows: readonly string[]): readonly string[] =>
  rows.length === 0 ? [] : ['', title, ...rows];

const indented = ([first = '', ...rest]: readonly string[]): readonly string[] => [`  ${first}`, ...rest];

const fileRows = (grounds: WorkspaceGrounds['grounds']) =>
  [...grounds].map(([path, ground]) => [`  ${shown(path)}`, reasonText(ground)]);

function reasonRows(grounds: WorkspaceGrounds['grounds']): readonly (readonly string[])[] {
  const byReason = Map.groupBy(grounds, ([, ground]) => reasonText(ground));
  return [...byReason]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([reason, some]) => [
      `  ${reason}`,
      ...counted(
        some.map(([path]) => path),
        EXAMPLES,
      ),
    ]);
}

/** How many, and the first of them. Nothing where there are none. */
function counted(paths: readonly string[], most: number): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length > most ? ', …' : '';
  return [grouped(paths.length), `${paths.slice(0, most).map(shown).join(', ')}${more}`];
}

function reasonText({ reason, by }: Ground): string {
  const name = shown(by ?? '');
  switch (reason) {
    case 'protect':
      return `protected by ${name}`;
    case 'check':
      return `run or named by the check ${name}`;
    case 'named':
      return `named in ${name}`;
    case 'keys':
      return 'by some of their keys';
    default:
      return CONVENTION_REASONS[reason];
  }
}

function keyRows(keys: WorkspaceGrounds['keys'], most: number): readonly (readonly string[])[] {
  const rows = [...keys].slice(0, most).map(([path, of]) => [`  ${shown(path)}`, keysText(of)]);
  const more = keys.size - rows.length;
  return more > 0 ? [...rows, [`  and ${amount(more, 'more file')}: --all`]] : rows;
}

function keysText(keys: FileKeys): string {
  if (keys.kind === 'whole') return `all of it: ${keys.because}`;
  const { restored, named, free } = keys;
  const parts: (readonly [string, readonly string[]])[] = [
    ['grounds', restored],
    ['named when they change', named],
    ['free', free],
  ];
  return parts
    .flatMap(([what, some]) => (some.length === 0 ? [] : `${what}: ${some.map(shown).join(', ')}`))
    .join('; ');
}

const unseenRows = ({ code, unread, recipes, elsewhere }: Unseen, most: number): readonly (readonly string[])[] =>
  [
    ['what code computes', ...counted(code, most)],
    ['what recipes run', ...counted(recipes, most)],
    ['scripts of other packages', ...counted(elsewhere, most)],
    ['cannot be read, or too large', ...counted(unread, most)],
  ].filter((row) => row.length > 1);

function notes({ unmatched }: WorkspaceGrounds, hasChecks: boolean): readonly string[] {
  const globs = (['protect', 'unprotect'] as const).flatMap((option) =>
    unmatched[option].map((glob) => `! ${option}: no file fits ${shown(glob)}`),
  );
  const unnamed = hasChecks ? [] : ['no check is configured: with --verify, the files that it runs are found, too'];
  return globs.length + unnamed.length === 0 ? [] : ['', ...globs, ...unnamed];
}

const shown = (text: string): string => oneLine(text, MAX_NAME_CHARS);
