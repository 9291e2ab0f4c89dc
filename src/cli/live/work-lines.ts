import type { CiResult, EventOf, LevelResult } from '../../../machines/events.ts';
import { changes, endingName, leftOutText, oneLine, span, spent } from '../../projections/phrases.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import { causeOf } from '../../strategies/attempt-failure.ts';
import type { Line, Piece } from '../../kernel/narration.ts';
import { failing, testCounts } from '../pages/failure-lines.ts';
import { hasHeadlines, wordsOf } from '../pages/loop-text.ts';
import { notice } from '../pages/notices.ts';
import type { Watched } from './watch-runs.ts';

const MAX_REASON_CHARS = 220;
const MAX_NAME_CHARS = 90;

/**
 * Lines for the events of every loop, and for a loop's own events if the loop has no narration.
 */
export function workLines(fact: Fact, watched: Watched): readonly Line[] {
  switch (fact.type) {
    case 'child.settled':
      return fact.payload.callId === undefined
        ? [settled(fact.payload, wordsOf(watched.loop).child)]
        : noticeLines(fact);
    case 'workspace.captured': {
      const files = line(`files   ${changes(fact.payload.changed) ?? 'nothing changed'}`);
      const { leftOut } = fact.payload;
      const lines = [files, ...(leftOut ? [line(`        not captured: ${leftOutText(leftOut)}`)] : [])];
      return watched.isToBeChecked ? [...lines, line('checks')] : lines;
    }
    case 'baseline.taken':
      return [
        line(watched.baselines === 1 ? 'checks, before any work' : 'checks, on the new head'),
        ...fact.payload.levels.flatMap(checked),
      ];
    case 'verification.completed':
      return [
        ...(fact.payload.proof?.repeated ? [line('as before, for the same files')] : []),
        ...fact.payload.levels.flatMap(checked),
        ...(fact.payload.ci ? statusOf(fact.payload.ci) : []),
      ];
    case 'decision.made': {
      // The first decision, and those after answered calls, are not printed.
      const isNews = watched.endsRound && hasHeadlines(watched.loop) && !fact.payload.sink;
      return isNews ? [...noticeLines(fact), goesOn(fact.payload)] : noticeLines(fact);
    }
    case 'child.asked':
    case 'child.answered':
      return [];
    default:
      return [...noticeLines(fact), ...ownLines(fact, watched)];
  }
}

const line = (...rest: readonly Piece[]): Line => ({ rest });

function noticeLines(fact: Fact): Line[] {
  const told = notice(fact);
  return told ? [line(told)] : [];
}

function ownLines(fact: Fact, { loop }: Watched): Line[] {
  const said = loop?.describe.narration ? null : (loop?.describe.line(fact) ?? null);
  return said === null ? [] : [line(oneLine(said, MAX_REASON_CHARS))];
}

function settled({ outcome, spend }: EventOf<'child.settled'>['payload'], child: string): Line {
  const how: Piece = outcome.ending === 'success' ? 'has ended' : { text: endingName(outcome), tone: 'warning' };
  const cause = causeOf(outcome);
  const why = cause === null ? [] : [`: ${oneLine(cause, MAX_REASON_CHARS)}`];
  return line(`${child} `, how, ...why, ' ', { text: `(${spent(spend)})`, tone: 'quiet' });
}

const goesOn = ({ action, reason }: EventOf<'decision.made'>['payload']): Line =>
  line({ text: `→ ${action}`, tone: 'news' }, `: ${oneLine(reason, MAX_REASON_CHARS)}`);

const checked = ({ level, checks }: LevelResult): Line[] =>
  checks.flatMap((check) => {
    const took: Piece = { text: `${testCounts(check)}${span(check.durationMs)}`, tone: 'quiet' };
    return [line('  ', mark(check), ` ${level} ${oneLine(check.name, MAX_NAME_CHARS)} `, took), ...whyNot(check)];
  });

const statusOf = (ci: CiResult): Line[] => [
  line('  ', mark(ci), ' ci ', { text: span(ci.durationMs), tone: 'quiet' }),
  ...whyNot(ci),
];

const mark = ({ passed }: { readonly passed: boolean }): Piece =>
  passed ? { text: '✓', tone: 'good' } : { text: '✗', tone: 'error' };

const whyNot = (check: Parameters<typeof failing>[0] & { readonly passed: boolean }): Line[] =>
  check.passed ? [] : failing(check).map((text) => line('      ', { text, tone: 'error' }));
