import type { EventOf, LoopEvent, Usage } from '../../machines/events.ts';
import type { Life } from '../../machines/life.ts';
import { Ending, type Outcome } from '../../machines/outcome.ts';
import { lifeOf, type Outstanding, type RunState } from '../../src/kernel/fold.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { definitionOf } from '../../src/kernel/loop-definition.ts';
import { interruption } from '../../src/kernel/run-message.ts';
import { contestAnswers } from './contest-answers.ts';
import * as has from './facts.ts';
import { improvementAnswers } from './improvement-answers.ts';
import { ralphAnswers } from './ralph-answers.ts';

// What the environment may answer to the effects of the loops that ship: the ordinary first, the unlikely too.

/** The last of them: that it was cut short, or lost. */
export function answersOf(effect: Outstanding, state: RunState): readonly LoopEvent[] {
  const lost = interruption(effect, 'told to stop', lifeOf(state), definitionOf(state.entry.id, shippedLoops));
  return [...answersTo(effect, state), ...(lost ? [lost] : [])];
}

function answersTo({ actor, key, input }: Outstanding, state: RunState): readonly LoopEvent[] {
  const callId = input['callId'] ?? '';
  switch (actor) {
    case 'judge':
      return decisions(state.version);
    case 'streamModel':
      return modelAnswers(stepOf(state));
    case 'admitCalls':
      return admissions(stepOf(state));
    case 'runTool':
      return toolAnswers(callId);
    case 'askPerson':
      return callId === '' ? ralphAnswers(actor, input, state) : [has.personAnswered(callId)];
    case 'askForServer':
      return [has.serverAnswered(callId)];
    case 'captureWorkspace':
      return captures;
    case 'takeBaseline':
      return [has.baselineTaken(false), has.baselineTaken(true)];
    case 'askAboutGrounds':
      return rulings(lifeOf(state));
    case 'verifyWork':
      return verifications(lifeOf(state));
    case 'runAgent':
      if (input['lane'] !== undefined) return experimentAnswers(input['lane'], state);
      return callId === '' ? attemptAnswers(state) : handedOverAnswers(callId, state);
    case 'summarise':
      return key === 'summary'
        ? [has.summaryWritten, SUMMED_UP]
        : [has.contextCompacted, has.interrupted('compaction')];
    case 'endStrategy':
      return [has.strategyEnded];
    case 'timer':
      return [has.timerFired(input['timer'] as EventOf<'timer.fired'>['payload']['timer'])];
    default:
      if (state.entry.id.startsWith('contest@')) return contestAnswers(actor, state);
      return state.entry.id.startsWith('improvement@')
        ? improvementAnswers(actor, state)
        : ralphAnswers(actor, input, state);
  }
}

const stepOf = ({ snapshot }: RunState): number => Math.max(0, (snapshot.context.steps ?? 0) - 1);

/** So often, for each time a run is ended in one of the five ways, it goes on: long runs see more. */
const GO_ON = 48;
const endings = Ending.options.map(has.decidedToEnd);
const decisions = (version: number): readonly LoopEvent[] => [
  ...Array.from({ length: GO_ON }, () => has.decidedToGoOn),
  nudge(version),
  ...endings,
];

const nudge = (version: number): LoopEvent => ({
  type: 'decision.made',
  payload: {
    action: 'continue',
    reason: 'it may be going in circles',
    evidence: [],
    feedback: `Try something else: (${version}) was in vain.`,
  },
});

const COST: Usage = { inputTokens: 40, outputTokens: 4, cost: { nanoUsd: 180_000 } };

const modelAnswers = (step: number): readonly LoopEvent[] => [
  has.modelAskedFor(`${step}.0`),
  has.modelAskedFor(`${step}.0`, `${step}.1`, `${step}.2`),
  has.modelAskedFor(`${step}.0`, `${step}.1`, `${step}.2`),
  has.modelAnswered,
  has.modelAnswered,
  { type: 'model.completed', payload: { text: 'and so', calls: [], usage: COST, cut: 'length' } },
  {
    type: 'model.interrupted',
    payload: { reason: 'it said the same over and over', text: 'la la la', usage: COST, cause: 'chant' },
  },
  has.modelFailed,
  has.modelLimited(),
  has.contextFilled,
  has.modelRetried,
  REPLACED,
  has.agentWorked,
];

const REPLACED: LoopEvent = {
  type: 'model.replaced',
  payload: { from: 'one', to: 'another', fault: { code: 'broken', message: 'it broke' } },
};

const admissions = (step: number): readonly LoopEvent[] => [
  has.callsAdmitted(`${step}.0`),
  has.callsAdmitted(`${step}.0`, `${step}.1`, `${step}.2`),
  has.callsAdmitted(`${step}.0`, `${step}.1?`, `${step}.2?`),
  has.callsAdmitted(`${step}.0?`),
  has.callsAdmitted(`${step}.0>`),
  has.callsAdmitted(`${step}.0>`, `${step}.1?`),
  has.callsAdmitted(`${step}.0>`, `${step}.1`, `${step}.2>`),
  has.callsRefused(`${step}.0`),
];

const toolAnswers = (callId: string): readonly LoopEvent[] => [
  has.toolCompleted(callId),
  has.toolCompleted(callId),
  has.toolFinished(callId),
  has.toolFailed(callId),
  has.serverAsked(callId),
];

const captures = [
  has.workspaceCaptured(),
  has.workspaceCaptured(),
  has.workspaceCaptured('tree-2'),
  has.workspaceCaptured(null),
  has.workspaceFailed,
];

/** Checks see the workspace that was captured. Where they have looked at another, they prove nothing of this one. */
const verifications = ({ workspace, hasCi, baseline }: Proven): readonly LoopEvent[] => [
  has.checked(true, workspace),
  has.checked(false, workspace),
  has.checked(true, 'tree-3'),
  ...(hasCi ? [onlyAskedOutside(workspace)] : []),
  ...(baseline === null ? [] : Array.from({ length: 6 }, () => has.disputed('grounds-1', workspace))),
];

type Proven = Pick<Life, 'workspace' | 'hasCi' | 'baseline'>;

/** The last ones are about other changes. */
const rulings = ({ dispute }: Pick<Life, 'dispute'>): readonly LoopEvent[] => [
  has.ruled(true, dispute?.digest ?? ''),
  has.ruled(false, dispute?.digest ?? ''),
  ...Array.from({ length: 8 }, () => has.ruled(true, 'grounds-2')),
  has.ruled(false, 'grounds-2'),
];

const onlyAskedOutside = (workspace: string | null): LoopEvent => ({
  type: 'verification.completed',
  payload: { passed: true, workspace, levels: [], ci: { passed: true, output: '', exitCode: 0, durationMs: 5 } },
});

const outcomes = [
  ...Ending.options.map(has.outcomeOf),
  has.abortedBy('error', { code: 'broken', message: 'it broke' }),
];
const settled = (said: (outcome: Outcome) => LoopEvent): LoopEvent[] => outcomes.map((outcome) => said(outcome));

const attemptAnswers = (state: RunState): readonly LoopEvent[] => [
  ...settled(has.attemptSettled),
  ...(lifeOf(state).waitingSince === null
    ? [has.attemptAsked]
    : [has.attemptAnswered, has.attemptAnswered, has.attemptAnswered]),
];

const experimentAnswers = (lane: string, state: RunState): readonly LoopEvent[] => [
  ...settled((outcome) => has.inLane(has.attemptSettled(outcome), lane)),
  ...(lifeOf(state).pending[`agent.${lane}`] === 'waiting'
    ? Array.from({ length: 3 }, () => has.inLane(has.attemptAnswered, lane))
    : [has.inLane(has.attemptAsked, lane)]),
];

const handedOverAnswers = (callId: string, state: RunState): readonly LoopEvent[] => [
  ...settled((outcome) => has.handedBack(callId, outcome)),
  has.toolFailed(callId),
  ...(lifeOf(state).pending[`call.${callId}`] === 'waiting'
    ? [has.childAnswered(callId), has.childAnswered(callId)]
    : [has.childAsked(callId)]),
];

const SUMMED_UP: LoopEvent = { type: 'summary.written', payload: { text: 'half of it is done', usage: COST } };

const timers = ['deadline', 'grace', 'ending', 'retry'] as const;
const interruptions = (['capture', 'checks', 'agent', 'compaction', 'groundsRuling'] as const).map(has.interrupted);

/** Every kind of answer, to effects that no run has asked for: unknown calls, steps that are not under way. */
export const unexpectedAnswers: readonly LoopEvent[] = [
  ...decisions(0).slice(GO_ON),
  ...modelAnswers(99),
  ...admissions(99),
  ...toolAnswers('99.9'),
  has.toolInterrupted('99.9'),
  has.personAnswered('99.9'),
  has.serverAnswered('99.9'),
  has.modelInterrupted,
  has.contextCompacted,
  ...captures,
  // A dispute is of runs with a proof alone: where there is none, its effect does not answer with one.
  ...verifications({ workspace: 'tree-1', hasCi: true, baseline: null }),
  ...rulings({ dispute: { digest: 'grounds-1', isRuled: false } }),
  ...settled(has.attemptSettled),
  ...settled((outcome) => has.handedBack('99.9', outcome)),
  has.childAsked('99.9'),
  has.childAnswered('99.9'),
  has.attemptAsked,
  has.attemptAnswered,
  has.summaryWritten,
  has.strategyEnded,
  ...timers.map(has.timerFired),
  ...interruptions,
];
