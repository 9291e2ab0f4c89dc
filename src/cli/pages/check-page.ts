import { head } from '../../text/excerpt.ts';
import { unreadableRemedy, unreadableText } from '../../log/unreadable.ts';
import { amount, plain } from '../../projections/phrases.ts';
import type { StoreFault } from '../../log/log.ts';
import type { Arrow, Difference } from '../../replay/difference.ts';
import type { Replayed } from '../../replay/replay-run.ts';
import { shortId } from '../args/find-run.ts';
import type { JudgedNow, OtherVerdict } from '../args/judge-now.ts';
import type { Colours } from '../terminal/output.ts';
import { columns } from './table.ts';

/**
 * A recorded run, where it is kept, and what the machines of today make of it; or a line of a file that is no event.
 */
export type Checked =
  | ({
      readonly file: string;
      readonly judged?: JudgedNow;
      readonly unverified?: true;
      /** The run that opened it, of an attempt or of delegated work. */
      readonly childOf?: string;
    } & Replayed)
  | {
      readonly file: string;
      readonly kind: 'damaged';
      readonly run: null;
      readonly line: number;
      readonly reason: string;
    };

export interface CheckSummary {
  readonly runs: number;
  readonly same: number;
  readonly differs: number;
  readonly refused: number;
  readonly unreadable: number;
  readonly damaged: number;
  /** Runs that are the same, and of which a judgement would be another one today. */
  readonly judgedOtherwise: number;
  /** What is wrong with the log beside its runs. */
  readonly storeFaults: number;
}

export function summaryOf(checked: readonly Checked[], faults: readonly StoreFault[] = []): CheckSummary {
  const count = (kind: Checked['kind']) => checked.filter((one) => one.kind === kind).length;
  return {
    runs: checked.length,
    same: count('same'),
    differs: count('differs'),
    refused: count('refused'),
    unreadable: count('unreadable'),
    damaged: count('damaged'),
    judgedOtherwise: checked.filter((one) => otherwiseIn(one).length > 0).length,
    storeFaults: faults.length,
  };
}

const otherwiseIn = (one: Checked): readonly OtherVerdict[] =>
  one.kind === 'same' && one.judged?.kind === 'judged' ? one.judged.otherwise : [];

type Differing = Checked & { readonly kind: 'differs' };

/** Runs named in a group that differs in the same way. Each run has a line of its own in any case. */
const MAX_OTHERS = 5;
const KIND_WIDTH = 'differs'.length;
const ID_WIDTH = 8;
/** Text from a file has any length and any characters. */
const MAX_CELL_CHARS = 600;

const cell = (text: string): string => head(plain(text).replace(/[\n\t]+/g, ' '), MAX_CELL_CHARS);

/** A run in one line, with its file if there are several. */
export function rowOf(one: Checked, { red, green, dim }: Colours, isOfFiles: boolean): string {
  const kind = (one.kind === 'same' ? green : red)(one.kind.padEnd(KIND_WIDTH));
  const file = isOfFiles && one.kind !== 'damaged' ? `  ${dim(cell(one.file))}` : '';
  const id = (one.run === null ? '' : cell(shortId(one.run))).padEnd(ID_WIDTH);
  return `${kind}  ${id}  ${cell(parentWords(one) + inWords(one))}${file}`;
}

const parentWords = (one: Checked): string =>
  one.run === null || one.childOf === undefined ? '' : `child of ${shortId(one.childOf)}, `;

function inWords(one: Checked): string {
  switch (one.kind) {
    case 'same':
      return [
        amount(one.events, 'event'),
        ...(one.compared === one.events ? [] : [`${one.compared} with a recorded position`]),
        ...(one.unverified ? ['not verified: the file has no salts'] : []),
        ...(one.remembered > 0 ? [] : ['what it remembered was not recorded']),
        ...judgedWords(one),
      ].join(', ');
    case 'differs':
      return `from version ${one.difference.version} on, ${one.difference.event}`;
    case 'refused':
      return one.because === undefined
        ? `${one.machine} is not known here: ${one.known.join(', ')} are`
        : `${one.machine}: ${one.because}`;
    case 'unreadable':
      return `version ${one.version}, ${one.type}: ${unreadableText(one)}. ${unreadableRemedy(one)}`;
    case 'damaged':
      return one.run === null
        ? `${one.file}:${one.line}: ${one.reason}`
        : `${one.file}, version ${one.version}: ${one.reason}`;
  }
}

function judgedWords(one: Checked & { readonly kind: 'same' }): string[] {
  if (!one.judged) return [];
  if (one.judged.kind === 'not_judged') return [`not judged again: ${one.judged.because}`];
  const [first] = one.judged.otherwise;
  if (!first) return [];
  const { version, recorded, today } = first;
  const count = `${one.judged.otherwise.length} of ${amount(one.judged.judgements, 'judgement')}`;
  return [`${count} would be another one today, first version ${version}: ${recorded} then, ${today} today`];
}

/** What is wrong with the log beside its runs, in one line. */
export const faultRow = ({ place, reason, remedy }: StoreFault, { red }: Colours): string =>
  `${red('damaged'.padEnd(KIND_WIDTH))}  ${cell(`${place}: ${reason}. ${remedy}`)}`;

/** Details of the runs that differ, and the counts of all. */
export function checkedPage(checked: readonly Checked[], faults: readonly StoreFault[], colours: Colours): string[] {
  const { runs, judgedOtherwise, storeFaults, ...counts } = summaryOf(checked, faults);
  const parts = Object.entries(counts)
    .filter(([kind, count]) => count > 0 || kind === 'same')
    .map(([kind, count]) => `${count} ${kind}`);
  if (judgedOtherwise > 0) parts.push(`${judgedOtherwise} judged otherwise`);
  if (storeFaults > 0) parts.push(`${storeFaults} damaged beside the runs`);
  const details = alike(checked.filter((one) => one.kind === 'differs')).flatMap((group) => detailsOf(group, colours));
  return ['', ...details, `${amount(runs, 'run')}: ${parts.join(', ')}`];
}

/** Runs that differ from the current machines in the same way are described once. */
function alike(differing: readonly Differing[]): Differing[][] {
  const groups = new Map<string, Differing[]>();
  for (const one of differing) {
    const { sign, event, recorded, before, today, taken, passedOver, next } = one.difference;
    const way = JSON.stringify([sign, event, recorded, before, today, taken, passedOver, next?.event]);
    groups.set(way, [...(groups.get(way) ?? []), one]);
  }
  return [...groups.values()];
}

function detailsOf([first, ...others]: readonly Differing[], { bold }: Colours): string[] {
  if (!first) return [];
  const { run, file, difference } = first;
  const { version, event, before, taken, passedOver, writtenBy, details } = difference;
  const shared = writtenBy === run ? '' : `, shared with run ${writtenBy}`;
  return [
    bold(`run ${cell(run)} differs from version ${version} on`),
    ...columns(
      [
        ['  in', file],
        ['  event', `${version}  ${event}${shared}`],
        ...(before === null ? [] : [['  before', before]]),
        ['  recorded', recordedIn(difference)],
        ['  today', todayIn(difference)],
        ...rows('taken', taken),
        ...rows('passed over', passedOver),
        ...details.map((detail) => ['  namely', detail]),
        ...nextOf(difference),
        ...(others.length === 0 ? [] : [['  so do', othersIn(others)]]),
      ].map(([name = '', said = '']) => [name, cell(said)]),
    ),
    '',
  ];
}

function othersIn(others: readonly Differing[]): string {
  const shown = others
    .slice(0, MAX_OTHERS)
    .map(({ run, difference: { version } }) => `${shortId(run)} from ${version}`);
  return `${amount(others.length, 'run')} more: ${shown.join(', ')}${others.length > MAX_OTHERS ? ', …' : ''}`;
}

const rows = (name: string, arrows: readonly Arrow[]): string[][] =>
  arrows.map(({ id, guard, to }) => [
    `  ${name}`,
    `${id}${guard === null ? '' : ` [${guard}]`} → ${to.join(', ') || 'stays'}`,
  ]);

function recordedIn({ recorded, sign, next }: Difference): string {
  if (recorded !== null) return recorded;
  const place =
    next && next.takenIn.length > 0 ? `; ${next.event} comes next, which is taken in ${next.takenIn.join(', ')}` : '';
  return sign === 'digest' ? `another state: only its digest was kept${place}` : `no recorded position${place}`;
}

function todayIn({ today, sign, event }: Difference): string {
  switch (sign) {
    case 'refusal':
      return `${today}, where no ${event} is taken`;
    case 'unowed':
      return `${today}, where no effect waits for it`;
    case 'failure':
      return `${today ?? 'nowhere'}, and the machine fails`;
    case 'memory':
      return `${today}, with another memory`;
    case 'state':
    case 'digest':
    case 'ending':
      return today ?? 'nowhere';
  }
}

function nextOf({ next }: Difference): string[][] {
  return next ? [['  next', `${next.version}  ${next.event}: ${next.isTaken ? 'taken' : 'refused'} today`]] : [];
}
