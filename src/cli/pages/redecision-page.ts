import { formatMoney } from '../../text/money.ts';
import { amount, oneLine, span } from '../../projections/phrases.ts';
import { isDecision, type Redecision, verdictOf } from '../../redecide/redecision.ts';
import type { Saving } from '../../redecide/saving.ts';
import { type Branch, reached, type RedecidedTree } from '../../redecide/redecide-tree.ts';
import { type LoopDefinition, newestOf } from '../../kernel/loop-definition.ts';
import type { OwnJudgement } from '../../kernel/loop-judging.ts';
import { type LoopWords, wordsOf as loopWords } from './loop-text.ts';
import type { Colours } from '../terminal/output.ts';
import { shortId } from '../args/find-run.ts';
import { columns } from './table.ts';

const MAX_CHARS = 110;

/**
 * A run judged again: each decision, the first difference, what it saves, and where the recording stops being valid.
 */
export function redecidedPage(
  judge: string,
  tree: RedecidedTree,
  loops: readonly LoopDefinition[],
  colours: Colours,
): string[] {
  const { redecided, agreeing, judgements } = tree;
  const words = wordsOf(redecided.loop, loops);
  const below = reached(tree).flatMap((branch, index) =>
    rowsBelow(branch, `${childWord(branch, words)} ${index + 1}, `, loops),
  );
  return [
    colours.bold(`run ${redecided.run}, judged again by ${judge}`),
    ...columns([
      ['  version', 'after', 'recorded', oneLine(judge, MAX_CHARS), 'because'],
      ...rowsOf(tree, '', loops),
      ...below,
    ]),
    '',
    ...columns([
      ['  agrees', `${agreeing} of ${amount(judgements, 'judgement')}`],
      ...named('differs', difference(tree, loops)),
      ...named('saves', saving(tree, words)),
      ['  known', knowledge(tree)],
    ]),
  ];
}

/** Delegated work is not an attempt at the delegator's task. */
const childWord = ({ redecided: { parent } }: Branch, { child }: Words): string => (parent?.lineage ? 'child' : child);

const named = (name: string, text: string | null): string[][] => (text === null ? [] : [[`  ${name}`, text]]);

/** Equal rows in sequence become one line. */
function rowsOf(
  { redecided: { redecisions, loop } }: Branch,
  place: string,
  loops: readonly LoopDefinition[],
): string[][] {
  const words = wordsOf(loop, loops);
  const rows: string[][] = [];
  let same: Redecision[] = [];
  const flush = () => {
    const [first] = same;
    const last = same.at(-1);
    if (first && last && same.length > 1) {
      rows.push([
        `  ${first.version} … ${last.version}`,
        place + stretch(first, last, words),
        `${same.length} the same`,
        '=',
        '',
      ]);
    } else if (first) rows.push(rowOf(first, place, words));
    same = [];
  };
  for (const one of redecisions) {
    const isQuiet = one.leadsToTheSame && !(isDecision(one) && one.recorded.sink);
    if (isQuiet) same.push(one);
    else {
      flush();
      rows.push(rowOf(one, place, words));
    }
  }
  flush();
  return rows;
}

/** Of child runs only the differences are shown. */
function rowsBelow(branch: Branch, place: string, loops: readonly LoopDefinition[]): string[][] {
  const { redecisions, loop } = branch.redecided;
  const words = wordsOf(loop, loops);
  const below = reached(branch);
  return [
    ...redecisions.filter(({ leadsToTheSame }) => !leadsToTheSame).map((one) => rowOf(one, place, words)),
    ...below.flatMap((child, index) => rowsBelow(child, `${place}${childWord(child, words)} ${index + 1}, `, loops)),
  ];
}

function rowOf(one: Redecision, place: string, words: Words): string[] {
  const where = [`  ${one.version}`, place + after(one.after, words)];
  if (!isDecision(one)) return [...where, ...answerRow(one, words)];
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

/** A judgement of the loop's own, in the loop's words. */
function answerRow(
  { kind, recorded, other, agrees }: Exclude<Redecision, { kind: 'decision' }>,
  { judgements }: Words,
): string[] {
  const own = judgements.find((one) => one.kind === kind);
  if (!own) return [kind, agrees ? '=' : 'another', ''];
  return [
    own.verdict(recorded),
    ...(agrees ? ['=', ''] : [own.verdict(other), oneLine(own.because(other), MAX_CHARS)]),
  ];
}

/** A loop's words for a round and its child run, and its judgements beside its decisions. */
interface Words extends LoopWords {
  readonly judgements: readonly OwnJudgement[];
}

function wordsOf(loop: string, loops: readonly LoopDefinition[]): Words {
  const known = newestOf(loop, loops);
  return { ...loopWords(known), judgements: Object.values(known?.judgements ?? {}) };
}

const otherWords = (recorded = '', other = ''): string =>
  other === '' ? `the next prompt does not say: ${recorded}` : `the next prompt says: ${other}`;

const after = (count: number, { round }: Words): string => (count === 0 ? 'the start' : `${round} ${count}`);
const stretch = (first: Redecision, last: Redecision, words: Words): string =>
  first.after === last.after ? after(first.after, words) : `${after(first.after, words)} … ${last.after}`;

function difference(tree: RedecidedTree, loops: readonly LoopDefinition[]): string | null {
  const { turn: first, differsFrom, redecided } = tree;
  if (!first && differsFrom) {
    const what = ownAt(tree, differsFrom, loops)?.differs ?? 'in words only';
    return `${what}, from version ${differsFrom.version} of run ${shortId(differsFrom.run)} on`;
  }
  if (!first) return null;
  const place = first.run === redecided.run ? '' : ` of run ${shortId(first.run)}`;
  return `first at version ${first.version}${place}: ${first.verdict}`;
}

/** The loop's own judgement recorded there; null for a decision. */
function ownAt(
  { redecided: { run, redecisions, loop }, below }: Branch,
  place: DiffersFrom,
  loops: readonly LoopDefinition[],
): OwnJudgement | null {
  if (run !== place.run) return below.map((branch) => ownAt(branch, place, loops)).find((own) => own !== null) ?? null;
  const kind = redecisions.find(({ version }) => version === place.version)?.kind;
  return wordsOf(loop, loops).judgements.find((own) => own.kind === kind) ?? null;
}

type DiffersFrom = NonNullable<RedecidedTree['differsFrom']>;

const saving = ({ saved }: RedecidedTree, words: Words): string | null =>
  saved && (savingText(saved, words) || 'nothing');

/** The amounts that are not zero. */
function savingText({ iterations, steps, toolCalls, tokens, costNanoUsd, timeMs }: Saving, { round }: Words): string {
  const counted = (
    [
      [iterations, round],
      [steps, 'step'],
      [toolCalls, 'tool call'],
      [tokens, 'token'],
    ] as const
  )
    .filter(([count]) => count > 0)
    .map(([count, unit]) => amount(count, unit));
  return [
    ...counted,
    ...(costNanoUsd > 0 ? [formatMoney(costNanoUsd)] : []),
    ...(timeMs > 0 ? [span(timeMs)] : []),
  ].join(', ');
}

/** Up to where the recording shows what the other judge would have seen. */
function knowledge({ differsFrom, isOpen, turn: first, conclusion, redecided }: RedecidedTree): string {
  if (!differsFrom && !redecided.hasEnded) return 'so far nothing would have been otherwise; the run has not ended';
  if (!differsFrom) return 'all of it: nothing would have been otherwise';
  if (!isOpen) return 'all of it: up to there nothing would have been otherwise, and there it would have ended';
  const ofRun = differsFrom.run === redecided.run ? '' : ` of run ${shortId(differsFrom.run)}`;
  const place = `version ${differsFrom.version}${ofRun}`;
  if (conclusion === 'goes_on' && first?.version === differsFrom.version && first.run === differsFrom.run) {
    return `up to ${place}: there it would have continued, and what follows is unknown`;
  }
  return `up to ${place}: what follows comes from a history that would not have been`;
}
