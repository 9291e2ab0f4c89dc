import type { Life } from '../../machines/life.ts';
import type { Finding, Outcome, ReachedLimit, Verified } from '../../machines/outcome.ts';
import { BUDGET_EXHAUSTED } from '../budget/allowance.ts';
import { reached } from '../budget/reached.ts';
import type { LoopDecision } from '../strategies/decision.ts';
import { endingOfFacts, strongest } from '../strategies/ending.ts';
import { unaffordable } from './affordable.ts';
import type { Evidence } from './evidence.ts';
import { type Decision, stop } from './verdict.ts';

// What the judges of all loops share: from evidence alone, first whether something ends the run, in the order abort, success,
// caps, findings, budgets; else why it goes on, and whether there is room for that.

/** A strategy's word on the round that is over, with the name it goes by. */
export interface Advice {
  readonly strategy: string;
  readonly decision: LoopDecision;
}

/** What a loop alone knows of a judgement. */
export interface Judging {
  /** The work is done, and may be called so. */
  readonly success: Outcome | null;
  /** The limits that count now. Absent: all that are reached. */
  readonly reached?: readonly ReachedLimit[];
  /** What a strategy that stops comes to. */
  readonly advised?: Outcome | null;
  /** What the strategy says of an ending, behind the fact. A success that is proven speaks for itself. */
  readonly words?: string | undefined;
  /** Why there is another round, and what its prompt says. Asked where nothing ends the run. */
  readonly goOn: () => Decision;
}

/**
 * The decision that every loop comes to in the same order: abort, success, caps, findings, budgets; else another round, if
 * there is room for it.
 *
 * @example
 * judge: (evidence) => judgeInOrder(evidence, { success: approved(evidence), goOn: () => goOn(evidence, 'not approved yet') }),
 */
export function judgeInOrder(evidence: Evidence, { success, reached: limits = reachedBy(evidence), advised = null, ...more }: Judging): Decision {
  const facts = endingOfFacts({ reached: limits, findings: stopsIn(evidence) });
  const outcome = abortOf(evidence.context) ?? success ?? strongest([facts, advised]);
  const words = outcome === success ? undefined : more.words;
  const decision = outcome ? stop(evidence, outcome, words) : goOnWithin(evidence, more.goOn());
  return { ...decision, ...noticed(evidence) };
}

/** Nothing is begun that what is left has no room for. */
function goOnWithin(evidence: Evidence, decision: Decision): Decision {
  const limit = unaffordable(evidence.context, evidence.next, decision.feedback);
  return limit ? stop(evidence, { ending: 'budget', limit }) : decision;
}

function abortOf({ abort, fault }: Life): Outcome | null {
  if (abort) {
    const code = abort.cause === 'error' ? { code: 'actor_failed', message: abort.reason ?? 'an actor failed' } : null;
    return { ending: 'abort', cause: abort.cause, fault: code };
  }
  return fault && fault.fault.code !== BUDGET_EXHAUSTED ? { ending: 'abort', cause: 'error', fault: fault.fault } : null;
}

/** Checks prove the workspace that they were run on, and no other. */
export function proven({ verification, workspace }: Life): Outcome | null {
  if (!verification?.passed || verification.workspace !== workspace) return null;
  const verified: Verified = { version: verification.version, workspace };
  return { ending: 'success', verified, partial: false };
}

/** What a person has said meanwhile is part of the task: no work is finished before it was heard. */
export const isSteered = ({ steered }: Life): boolean => steered !== null;
export const HAS_SAID_MORE = 'a person has said more';

/** Every limit that is used up. */
export const reachedBy = ({ context, used }: Evidence): ReachedLimit[] => reached(context.limits, used);

/** Findings that end a run. */
export const stopsIn = ({ findings }: Evidence): Finding[] => findings.filter(({ level }) => level === 'stop');

/** What detectors want the next prompt to say. */
export const nudges = ({ findings }: Evidence): string[] =>
  findings.filter(({ level }) => level === 'nudge').map(({ message }) => `You may be going in circles: ${message}. Try something else.`);

/** What detectors have said is recorded with the decision it bears on. */
const noticed = ({ findings }: Evidence): Pick<Decision, 'findings'> => (findings.length > 0 ? { findings: [...findings] } : {});

/** What the next prompt must say: its parts, as far as there are any. */
export function feedback(parts: readonly (string | null | undefined)[]): Pick<Decision, 'feedback'> {
  const said = parts.filter((part) => part != null);
  return said.length > 0 ? { feedback: said.join('\n\n') } : {};
}
