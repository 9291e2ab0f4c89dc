import { formatMoney } from '../config/money.ts';
import { amount, oneLine, span } from '../projections/wording.ts';
import { type Redecision, refusedBy, verdictOf } from '../redecide/redecision.ts';
import type { Saving } from '../redecide/saving.ts';
import { type Branch, reached, type RedecidedTree } from '../redecide/tree.ts';
import type { Colours } from './output.ts';
import { shortId } from './find-run.ts';
import { columns } from './table.ts';

const MAX_CHARS = 110;

/** A run judged again: decision by decision, where the two judges first part, what that saves, and where knowledge ends. */
export function redecidedPage(judge: string, tree: RedecidedTree, colours: Colours): string[] {
  const { redecided, agreeing, judgements } = tree;
  const below = redecided.loop === 'iteration' ? 'attempt' : 'child';
  const rows = [...rowsOf(tree, ''), ...reached(tree).flatMap((branch, index) => rowsBelow(branch, `${below} ${index + 1}, `))];
  return [
    colours.bold(`run ${redecided.run}, judged again by ${judge}`),
    ...columns([['  version', 'after', 'recorded', oneLine(judge, MAX_CHARS), 'because'], ...rows]),
    '',
    ...columns([
      ['  agrees', `${agreeing} of ${amount(judgements, 'judgement')}`],
      ...named('differs', difference(tree)),
      ...named('saves', saving(tree)),
      ['  known', knowledge(tree)],
    ]),
  ];
}

const named = (name: string, text: string | null): string[][] => (text === null ? [] : [[`  ${name}`, text]]);

/** What is the same again and again is one line. */
function rowsOf({ redecided: { redecisions, loop } }: Branch, place: string): string[][] {
  const rows: string[][] = [];
  let same: Redecision[] = [];
  const flush = () => {
    const [first] = same;
    const last = same.at(-1);
    if (first && last && same.length > 1) {
      rows.push([`  ${first.version} … ${last.version}`, place + stretch(first, last, loop), `${same.length} the same`, '=', '']);
    } else if (first) rows.push(rowOf(first, place, loop));
    same = [];
  };
  for (const one of redecisions) {
    const isQuiet = one.leadsToTheSame && !(one.kind === 'decision' && one.recorded.sink);
    if (isQuiet) same.push(one);
    else {
      flush();
      rows.push(rowOf(one, place, loop));
    }
  }
  flush();
  return rows;
}

/** Below a run only what is another is shown. */
const rowsBelow = (branch: Branch, place: string): string[][] => [
  ...branch.redecided.redecisions.filter(({ leadsToTheSame }) => !leadsToTheSame).map((one) => rowOf(one, place, branch.redecided.loop)),
  ...reached(branch).flatMap((below, index) => rowsBelow(below, `${place}child ${index + 1}, `)),
];

function rowOf(one: Redecision, place: string, loop: string): string[] {
  const where = [`  ${one.version}`, place + after(one.after, loop)];
  if (one.kind === 'admission') {
    const [had, has] = [refusedBy(one.recorded), refusedBy(one.other)];
    const reasons = one.other.refused.map(({ reason }) => reason).join('; ');
    return [...where, refusal(had), one.agrees ? '=' : refusal(has), one.agrees ? '' : oneLine(reasons, MAX_CHARS)];
  }
  const verdict = verdictOf(one.other);
  if (one.leadsToTheSame) return [...where, verdictOf(one.recorded), '=', oneLine(one.other.reason, MAX_CHARS)];
  const isOtherWords = one.agrees;
  return [
    ...where,
    verdictOf(one.recorded),
    isOtherWords ? `${verdict}, other words` : verdict,
    oneLine(isOtherWords ? otherWords(one.recorded.feedback, one.other.feedback) : one.other.reason, MAX_CHARS),
  ];
}

const otherWords = (recorded = '', other = ''): string =>
  other === '' ? `the next prompt does not say: ${recorded}` : `the next prompt says: ${other}`;

const refusal = (calls: readonly string[]): string => (calls.length === 0 ? 'all calls run' : `refuses ${calls.join(', ')}`);

const unitOf = (loop: string): string => (loop === 'turn' ? 'step' : 'iteration');
const after = (count: number, loop: string): string => (count === 0 ? 'the start' : `${unitOf(loop)} ${count}`);
const stretch = (first: Redecision, last: Redecision, loop: string): string =>
  first.after === last.after ? after(first.after, loop) : `${after(first.after, loop)} … ${last.after}`;

function difference(tree: RedecidedTree): string | null {
  const { turn, differsFrom, redecided } = tree;
  if (!turn && differsFrom) {
    const what = isRefusalAt(tree, differsFrom) ? 'in what is refused' : 'in words only';
    return `${what}, from version ${differsFrom.version} of run ${shortId(differsFrom.run)} on`;
  }
  if (!turn) return null;
  const place = turn.run === redecided.run ? '' : ` of run ${shortId(turn.run)}`;
  return `first at version ${turn.version}${place}: ${turn.verdict}`;
}

function isRefusalAt({ redecided: { run, redecisions }, below }: Branch, place: NonNullable<RedecidedTree['differsFrom']>): boolean {
  if (run !== place.run) return below.some((branch) => isRefusalAt(branch, place));
  return redecisions.some(({ kind, version }) => kind === 'admission' && version === place.version);
}

function saving({ saved }: RedecidedTree): string | null {
  return saved && (savingText(saved) || 'nothing');
}

/** What is not zero, in words. */
function savingText({ iterations, steps, toolCalls, tokens, costNanoUsd, timeMs }: Saving): string {
  const counted = ([[iterations, 'iteration'], [steps, 'step'], [toolCalls, 'tool call'], [tokens, 'token']] as const)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => amount(count, unit));
  return [...counted, ...(costNanoUsd > 0 ? [formatMoney(costNanoUsd)] : []), ...(timeMs > 0 ? [span(timeMs)] : [])].join(', ');
}

/** Where the recording stops being what would have been. */
function knowledge({ differsFrom, isOpen, turn, conclusion, redecided }: RedecidedTree): string {
  if (!differsFrom && !redecided.hasEnded) return 'so far nothing would have been otherwise; the run has not ended';
  if (!differsFrom) return 'all of it: nothing would have been otherwise';
  if (!isOpen) return 'all of it: up to there nothing would have been otherwise, and there it would have ended';
  const place = `version ${differsFrom.version}${differsFrom.run === redecided.run ? '' : ` of run ${shortId(differsFrom.run)}`}`;
  if (conclusion === 'goes_on' && turn?.version === differsFrom.version && turn.run === differsFrom.run) {
    return `up to ${place}: it would have gone on where the recording ends, and nobody knows to what`;
  }
  return `up to ${place}: what follows comes from a history that would not have been`;
}
