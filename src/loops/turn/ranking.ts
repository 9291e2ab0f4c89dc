import { MAX_AGENT_EVENTS_A_STEP } from '../../../machines/agent-report.ts';
import type { LoopEvent } from '../../../machines/events.ts';
import {
  MAX_CALLS_A_STEP,
  MAX_IDLE_ANSWERS,
  MAX_RETRIES_A_STEP,
  MAX_WAITS_A_STEP,
  mostSteps,
  type TurnContext,
} from '../../../machines/turn.machine.ts';
import { hasEnded, type RunState } from '../../kernel/fold.ts';
import { type Ceiling, type Left, OUTSIDE, type Ranking } from '../../kernel/loop-ranking.ts';
import {
  interruptionOf,
  checkedAgain,
  disputeFalls,
  endingLeft,
  lifeFalls,
  lifeLeft,
} from '../../termination/life-left.ts';
import { belowTurn } from './work-below-turn.ts';

/** A rate limit, and the timer that ends the wait. */
const LIMITED_AND_WAITED = 2;
/** The conversation is full, and summarised. */
const FILLED_AND_COMPACTED = 2;
const CAPTURED = 1;
const CHECKED = 1;
/** The answer, and the admission of its calls. */
const ANSWERED_AND_ADMITTED = 2;
/** The failures of all tries of a step, and the final one that ends it. */
const FAILED_FOR_GOOD = MAX_RETRIES_A_STEP + 1;

export const turnRanking: Ranking = {
  left: turnLeft,
  // A server asks again only after a person has answered it.
  outside: [
    'person.answered',
    'server.asked',
    'server.answered',
    isCutOff,
    interruptionOf('capture', 'checks', 'compaction', 'groundsRuling', 'server'),
  ],
  ceiling,
  below: (settings, begun) => belowTurn(settings, begun, turnLeft),
  means: {
    rounds: 'decisions, and steps that begin',
    waits: 'rate limits, and the waits for them',
    retries: 'failed tries, and other models',
    reports: 'what an agent of others tells of its work',
    compactions: 'a full conversation, and its summary',
    work: 'answers, calls and checks',
  },
  falls: {
    ...lifeFalls,
    ...disputeFalls,
    'stream step.started 0': 'rounds',
    'stream.asking model.interrupted 1': OUTSIDE,
    'stream.asking model.retried 0': 'retries',
    'stream.asking model.replaced 0': 'retries',
    'stream.asking model.limited 0': 'waits',
    'stream.asking agent.worked 0': 'reports',
    'stream.asking context.filled 1': 'compactions',
    'stream.compacting effect.interrupted 0': OUTSIDE,
    'tools tool.completed 0': 'work',
    'tools tool.failed 0': 'work',
    'tools tool.interrupted 0': 'work',
    'tools child.asked 0': OUTSIDE,
    'tools child.answered 0': OUTSIDE,
    'tools child.settled 0': 'work',
    'tools person.answered 0': 'work',
    'tools server.asked 0': OUTSIDE,
    'tools server.answered 0': OUTSIDE,
    'tools effect.interrupted 0': OUTSIDE,
    'tools.awaitingPerson run.resumed 0': OUTSIDE,
    'tools.awaitingPerson always 2': OUTSIDE,
    'verify.capturing effect.interrupted 0': OUTSIDE,
    'verify.checking effect.interrupted 0': OUTSIDE,
    'decide.aborting model.completed 0': 'work',
    'decide.aborting model.failed 0': 'work',
    'decide.aborting model.interrupted 0': 'work',
    'decide.aborting model.limited 0': 'work',
    'decide.aborting model.retried 0': 'retries',
    'decide.aborting agent.worked 0': 'reports',
    'decide.aborting context.filled 0': 'work',
    'decide.aborting context.compacted 0': 'work',
    'decide.aborting tool.completed 0': 'work',
    'decide.aborting tool.failed 0': 'work',
    'decide.aborting tool.interrupted 0': 'work',
    'decide.aborting child.settled 0': 'work',
    'decide.aborting person.answered 0': 'work',
    'decide.aborting server.answered 0': 'work',
    'decide.aborting workspace.captured 0': 'work',
    'decide.aborting workspace.failed 0': 'work',
    'decide.aborting baseline.taken 0': 'work',
    'decide.aborting verification.completed 0': 'work',
    'decide.aborting effect.interrupted 0': 'work',
  },
};

/**
 * An answer that is cut off for repetition comes from the run itself; any other interruption comes from a pause or a
 * crash.
 */
function isCutOff({ type, payload }: LoopEvent): boolean {
  return type === 'model.interrupted' && payload.cause === undefined;
}

function turnLeft(state: RunState): Left {
  const context = state.snapshot.context as TurnContext;
  if (hasEnded(state)) return {};
  if (state.snapshot.matches('decide.ending')) return endingLeft(state, context);
  const isUnbegun = context.isBeginning && state.snapshot.matches('stream');
  const now = isUnbegun ? begun(context) : context;
  const left = mostSteps(now) - now.spend.steps;
  const roundsLeft = Math.max(0, left);
  const { rounds, ...life } = lifeLeft(now, roundsLeft);
  const step = stepLeft(state, now, roundsLeft);
  return {
    rounds: rounds + (isUnbegun ? 1 : 0),
    waits: step.waits + roundsLeft * MAX_WAITS_A_STEP * LIMITED_AND_WAITED,
    retries: step.retries + roundsLeft * MAX_RETRIES_A_STEP,
    reports: step.reports + roundsLeft * MAX_AGENT_EVENTS_A_STEP,
    compactions: step.compactions + roundsLeft * FILLED_AND_COMPACTED,
    work: step.work,
    ...life,
  };
}

/** A turn of zero steps answers in text, and is asked again where its answer did nothing. */
function ceiling({ snapshot }: RunState): Ceiling | null {
  const context = snapshot.context as TurnContext;
  if (context.limits.maxSteps !== 0) return null;
  return { name: 'maxSteps', rounds: MAX_IDLE_ANSWERS, because: 'an answer that did nothing is asked for again' };
}

/** The context after the start of the step that was decided on. */
const begun = (context: TurnContext): TurnContext => ({
  ...context,
  spend: { ...context.spend, steps: context.spend.steps + 1 },
  compacted: false,
  warnings: 0,
  waits: 0,
  retries: 0,
  reports: 0,
});

const IDLE = { waits: 0, retries: 0, reports: 0, compactions: 0 };

/**
 * The events left in the current step. `work` includes later steps: calls that one step makes are not available to the
 * others.
 */
function stepLeft({ snapshot }: RunState, context: TurnContext, roundsLeft: number) {
  const calls = callsLeft(context);
  const later = work(roundsLeft, calls, context);
  const owed = Object.keys(context.pending).length;
  const checks = checksOf(context);
  if (snapshot.matches('stream'))
    return { ...askingLeft(snapshot, context), work: work(roundsLeft + 1, calls, context) };
  if (snapshot.matches('tools.admitting')) {
    const most = Math.min(calls, MAX_CALLS_A_STEP);
    return { ...IDLE, work: 1 + (most > 0 ? most + checks + work(roundsLeft, calls - most, context) : later) };
  }
  if (snapshot.matches('tools')) return { ...IDLE, work: owed + checks + later };
  if (snapshot.matches('verify.capturing')) return { ...IDLE, work: checks + later };
  if (snapshot.matches('verify.checking')) return { ...IDLE, work: CHECKED + checkedAgain(context) + later };
  if (snapshot.matches('verify.disputed')) return { ...IDLE, work: checkedAgain(context) + later };
  // A model that is cancelled may still report failed tries.
  const isModelPending = 'model' in context.pending;
  const retries = isModelPending ? 2 * MAX_RETRIES_A_STEP - context.retries : 0;
  const reports = isModelPending ? MAX_AGENT_EVENTS_A_STEP - context.reports : 0;
  return { ...IDLE, retries, reports, work: owed + later };
}

function askingLeft(snapshot: RunState['snapshot'], { waits, retries, reports, compacted }: TurnContext) {
  const compactions = compacted ? 0 : FILLED_AND_COMPACTED;
  return {
    waits: (MAX_WAITS_A_STEP - waits) * LIMITED_AND_WAITED + (snapshot.matches('stream.waiting') ? 1 : 0),
    retries: Math.max(0, MAX_RETRIES_A_STEP - retries),
    reports: MAX_AGENT_EVENTS_A_STEP - reports,
    compactions: snapshot.matches('stream.compacting') ? 1 : compactions,
  };
}

const checksOf = ({ hasChecks, baseline }: TurnContext): number =>
  hasChecks ? CAPTURED + CHECKED + checkedAgain({ baseline, dispute: null }) : 0;

/** A turn of zero steps answers without calls. */
function callsLeft({ limits: { maxSteps, maxToolCalls }, spend }: TurnContext): number {
  if (maxSteps === 0) return 0;
  return maxToolCalls === null ? Infinity : Math.max(0, maxToolCalls - spend.toolCalls);
}

/**
 * The most answers, calls and checks of so many steps that share so many calls. It is largest where few steps make
 * nearly all calls, because a step without calls may fail after all its tries instead.
 */
function work(steps: number, calls: number, context: TurnContext): number {
  const ofStep = (made: number) => Math.max(ANSWERED_AND_ADMITTED + made + checksOf(context), FAILED_FOR_GOOD);
  const full = Math.min(steps, Math.floor(calls / MAX_CALLS_A_STEP));
  if (full === steps) return steps === 0 ? 0 : steps * ofStep(MAX_CALLS_A_STEP);
  return full * ofStep(MAX_CALLS_A_STEP) + ofStep(calls % MAX_CALLS_A_STEP) + (steps - full - 1) * ofStep(0);
}
