import type { Loops } from '../../hosts/local/loops.ts';
import { OptionsError } from '../../hosts/local/options-error.ts';
import { notFoldedSentence } from '../../runtime/unfoldable.ts';
import type { Branch } from '../../redecide/redecided-tree.ts';
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

/** Judges runs again, each once: a run that is asked about brings those below it. */
export function judgingAgain(loops: Pick<Loops, 'redecide'>): (run: string) => Promise<JudgedNow> {
  const known = new Map<string, JudgedNow>();
  const note = ({ redecided, below }: Branch): void => {
    const { run, redecisions } = redecided;
    const otherwise = redecisions.filter(({ agrees }) => !agrees).map(otherVerdict);
    known.set(run, { kind: 'judged', judgements: redecisions.length, otherwise });
    for (const branch of below) note(branch);
  };
  return async (run) => {
    if (!known.has(run)) {
      const found = await asked(loops, run);
      if (typeof found === 'string') return { kind: 'not_judged', because: found };
      note(found);
    }
    return known.get(run) ?? { kind: 'not_judged', because: 'its run was not found' };
  };
}

async function asked(loops: Pick<Loops, 'redecide'>, run: string): Promise<Branch | string> {
  try {
    const found = await loops.redecide(run, {});
    if (found.kind === 'redecided') return found.tree;
    return found.kind === 'unknown_run' ? 'its run was not found' : notFoldedSentence(found, run);
  } catch (error) {
    if (error instanceof OptionsError) return error.message;
    throw error;
  }
}

const otherVerdict = (one: Redecision): OtherVerdict => ({
  version: one.version,
  recorded: isDecision(one) ? verdictOf(one.recorded) : one.kind,
  today: isDecision(one) ? verdictOf(one.other) : `another ${one.kind}`,
});
