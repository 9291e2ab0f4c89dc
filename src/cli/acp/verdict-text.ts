import type { StopReason } from '@agentclientprotocol/sdk';
import type { App } from '../../app/app.ts';
import { endingName, plain } from '../../projections/phrases.ts';
import { gradeText, worthOf } from '../../projections/grade-text.ts';
import type { RunEnd } from '../../runtime/run-end.ts';
import type { DoorRuns } from '../doors/door-runs.ts';
import { questionData } from '../doors/run-status-data.ts';
import { summaryOf } from '../pages/summary-of.ts';

interface Verdict {
  readonly text: string;
  /** Null: it ended by an error, or was lost to another process. */
  readonly stopReason: StopReason | null;
}

/** How a run has left this process. */
interface Left {
  readonly end: RunEnd;
  readonly isCancelled: boolean;
}

/**
 * The end of a run in words, for a conversation: its verdict, what proves it, and what to do where it waits. Without
 * `left` it is of the past.
 */
export async function verdictText(door: DoorRuns, loops: App, run: string, left?: Left): Promise<Verdict> {
  if (left?.end.kind === 'lost') return { text: `Another process works on it: ${left.end.detail}`, stopReason: null };
  const stopReason = left ? stopReasonOf(left.end, left.isCancelled) : null;
  const summary = await summaryOf(loops.log, run, loops.definitions);
  const { ending, settings } = summary;
  if (!ending) return { text: await waitingText(door, loops, run), stopReason };
  const { outcome, reason } = ending;
  const grade = outcome.ending === 'success' ? outcome.verified?.grade : undefined;
  const worth = grade === undefined ? [] : [gradeText({ grade, because: worthOf(summary).weaknesses })];
  const lines = [`${endingName(outcome, settings.checks.length > 0)}: ${reason}`, ...worth];
  return { text: plain(lines.join('\n')), stopReason };
}

async function waitingText({ session }: DoorRuns, loops: App, run: string): Promise<string> {
  const open = (await loops.questions(run)) ?? [];
  const rulings = open.filter(({ kind }) => kind !== 'question').map((one) => questionData(session, run, one, open));
  const asked = rulings.flatMap(({ text, commands }) => [text, ...commands]);
  if (open.length > rulings.length) return 'It waits for your answer: write it as the next message.';
  if (asked.length > 0) return ['It waits for a ruling:', ...asked].join('\n');
  return 'It is paused, and continues with the next message.';
}

/** The reason that an editor is told for the end of a turn. Null: the run ended by an error, which is the answer. */
function stopReasonOf(end: RunEnd, isCancelled: boolean): StopReason | null {
  // A run that waits is asked about in the conversation, and the next message of it is the answer.
  if (end.kind !== 'ended') return isCancelled ? 'cancelled' : 'end_turn';
  const { outcome } = end;
  switch (outcome.ending) {
    case 'success':
      return 'end_turn';
    case 'cap_hit':
    case 'budget':
      return outcome.limit.name === 'tokens' ? 'max_tokens' : 'max_turn_requests';
    // The protocol has no word for it. It is no success, and more requests were not to be made.
    case 'doom_loop':
      return 'max_turn_requests';
    case 'abort':
      return outcome.cause === 'error' ? null : 'cancelled';
  }
}
