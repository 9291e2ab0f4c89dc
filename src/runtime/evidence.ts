import type { IterationContext } from '../../machines/iteration.machine.ts';
import type { Life } from '../../machines/life.ts';
import type { Finding } from '../../machines/outcome.ts';
import type { TurnContext } from '../../machines/turn.machine.ts';
import type { Expected } from '../budget/allowance.ts';
import type { VerificationReport } from '../strategies/report.ts';
import type { Situation } from './cast.ts';
import type { Iterations } from './iterations.ts';
import type { JudgeMemory } from './judge-memory.ts';

/** What every judgement rests on. */
export interface Evidence<Context extends Life> {
  readonly context: Context;
  /** The time of the judgement. */
  readonly at: string;
  /** The version that asked for it. */
  readonly version: number;
  /** What detectors have said since the work went on, strongest or not. */
  readonly findings: readonly Finding[];
  readonly report: VerificationReport | null;
  /** Checks have failed, newest verdict, on the very workspace as it is now. */
  readonly failedBefore: boolean;
  /** What the next call of the model, or the first one of an attempt, takes in and costs. */
  readonly next: Expected;
  /** The newest answer of the model was ended early. */
  readonly isCut: boolean;
  /** The version at which it was cut off because it said the same over and over. */
  readonly chant: number | null;
  /** The id (`RUN/version`) of a version of this run. */
  readonly idOf: (version: number) => string;
  readonly iterations: Pick<Iterations, 'best' | 'shownBy'>;
}

/** What is known of a run at the moment its judge is asked. */
export function evidenceIn<Context extends TurnContext | IterationContext>(
  { state, at }: Situation,
  { findings, report, idOf, next, answer, chant, verdicts, iterations }: JudgeMemory,
): Evidence<Context> {
  const context = state.snapshot.context as Context;
  return {
    context, at, findings, report, idOf, chant, iterations,
    version: state.version,
    failedBefore: context.workspace !== null && verdicts.get(context.workspace) === false,
    next: { inputTokens: next.inputTokens, price: next.price },
    isCut: answer?.cut !== undefined,
  };
}
