import type { App } from '../../app/app.ts';
import { OptionsError } from '../../app/start/options-error.ts';
import { notFoldedSentence } from '../../runtime/unfoldable.ts';
import { type Redecision, isDecision, verdictOf } from '../../redecide/redecision.ts';

/** What the judges of today make of a recorded run. */
export type JudgedNow =
  | {
      readonly kind: 'judged';
      readonly judgements: number;
      /** Those with another verdict, oldest first. */
      readonly otherwise: readonly OtherVerdict[];
    }
  /** They cannot be asked here: a strategy or a detector is not loaded. */
  | { readonly kind: 'not_judged'; readonly because: string };

/** A recorded judgement that would be another one today. */
export interface OtherVerdict {
  readonly version: number;
  readonly recorded: string;
  readonly today: string;
}

/** Judges a run again whose history was verified. */
export async function judgedNow(loops: Pick<App, 'redecideAlone'>, run: string): Promise<JudgedNow> {
  try {
    const found = await loops.redecideAlone(run);
    if (found.kind === 'unknown_run') return { kind: 'not_judged', because: 'its run was not found' };
    if (found.kind !== 'redecided') return { kind: 'not_judged', because: notFoldedSentence(found, run) };
    const { redecisions } = found.redecided;
    const otherwise = redecisions.filter(({ agrees }) => !agrees).map(otherVerdict);
    return { kind: 'judged', judgements: redecisions.length, otherwise };
  } catch (error) {
    if (error instanceof OptionsError) return { kind: 'not_judged', because: error.message };
    throw error;
  }
}

const otherVerdict = (one: Redecision): OtherVerdict => ({
  version: one.version,
  recorded: isDecision(one) ? verdictOf(one.recorded) : one.kind,
  today: isDecision(one) ? verdictOf(one.other) : `another ${one.kind}`,
});
