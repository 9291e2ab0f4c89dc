import {
  checksFeedback,
  type Decision,
  type Evidence,
  type FactOf,
  feedback,
  anotherRound,
  judgeInOrder,
  type LoopMemory,
  nudges,
  proven,
} from 'loopfold';
import type { Outcome } from 'loopfold/machines';
import type { ReviewedEvent } from './reviewed.events.ts';
import type { ReviewedContext } from './reviewed.machine.ts';

/** The reviewer's newest remark on the current attempt. It is text, so it is not in the machine's context. */
export class Remarks implements LoopMemory {
  remark: string | null = null;

  observe({ type, payload }: FactOf<ReviewedEvent>): void {
    if (type === 'iteration.started') this.remark = null;
    if (type === 'review.given') this.remark = payload.remark;
  }
}

/** Another attempt until the reviewer approves. `judgeInOrder` adds the endings that every loop has. */
export function judge(evidence: Evidence<ReviewedContext, Remarks>): Decision {
  const {
    context: { review, verification },
    memory: { remark },
    report,
  } = evidence;
  return judgeInOrder(evidence, {
    success: approved(evidence),
    otherwise: () => {
      if (review)
        return said(evidence, 'the reviewer has not approved it', review.version, `A reviewer says:\n${remark}`);
      if (report && verification?.passed === false)
        return said(evidence, 'it failed its checks', verification.version, checksFeedback(report));
      return said(evidence, 'nothing is approved yet');
    },
  });
}

const said = (evidence: Evidence, reason: string, shownBy?: number, text?: string): Decision => ({
  ...anotherRound(evidence, reason, shownBy),
  ...feedback([text, ...nudges(evidence)]),
});

/** Approved work is a success, unless a user has steered the run since. */
function approved(evidence: Evidence<ReviewedContext>): Outcome | null {
  const { context } = evidence;
  if (!context.review?.approved || context.steered !== null) return null;
  return context.hasChecks ? proven(evidence) : { ending: 'success', verified: null, partial: false };
}
