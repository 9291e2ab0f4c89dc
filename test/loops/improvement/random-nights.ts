import type { LoopEvent } from '../../../machines/events.ts';
import { unprepared } from '../../../machines/improvement-lanes.ts';
import type { ImprovementContext } from '../../../machines/improvement-progress.ts';
import { hasNext } from '../../../machines/improvement-progress.ts';
import { isLimited, leftFor } from '../../../src/budget/allowance.ts';
import { interruption } from '../../../src/kernel/run-message.ts';
import { lifeOf, type Outstanding, type RunState } from '../../../src/kernel/fold.ts';
import { improvementLoop } from '../../../src/loops/improvement/definition.ts';
import {
  admittedExperiment,
  improvementRounds,
  reserveForPhase,
} from '../../../src/loops/improvement/improvement-rounds.ts';
import type { ProofEnvironment } from '../../../src/testing/proof-environment.ts';
import * as is from '../../support/facts.ts';
import * as has from './night-facts.ts';

const UNLIMITED = { maxSteps: null, maxToolCalls: null, maxTokens: null, maxTimeMs: null };
const FAULT = { code: 'broken', message: 'the provider broke' };

/** Runs of the improvement loop in which everything uses an amount of its own, so that no two can be mixed up. */
export const randomNights: ProofEnvironment = {
  openings: {
    unlimited: has.nightStarted({ limits: UNLIMITED }),
    tokens: has.nightStarted({
      limits: { ...UNLIMITED, maxTokens: 400_000, maxCostNanoUsd: 900_000_000 },
      settings: { summaryTokens: 2_000 },
    }),
    approval: has.nightStarted({
      limits: UNLIMITED,
      options: { phases: { integrate: { requireApproval: true } } },
    }),
    'listed only': has.nightStarted({ limits: UNLIMITED, options: { phases: { experiment: { enabled: false } } } }),
    'two at once': has.nightStarted({
      limits: { ...UNLIMITED, maxTokens: 900_000, maxCostNanoUsd: 900_000_000 },
      options: { phases: { experiment: { maxParallel: 2 } } },
    }),
    time: has.nightStarted({ limits: { ...UNLIMITED, maxTimeMs: 600_000 } }),
  },
  answers: (effect, state) => {
    const lost = interruption(effect, 'told to stop', lifeOf(state), improvementLoop);
    return [...answersTo(effect, state), ...(lost ? [withUse(lost)] : [])];
  },
  follows: begins,
  remarks: () => [
    is.warned,
    is.steered,
    is.paused,
    is.resumed(60_000),
    is.continued({ maxIterations: 20 }, 1_000),
    is.abortRequested(),
  ],
  noise: [is.strategyEnded, has.settled(5), has.evaluated('a'), is.iterationStarted(7)],
};

function answersTo({ actor, input }: Outstanding, state: RunState): readonly LoopEvent[] {
  const context = state.snapshot.context as ImprovementContext;
  const { candidate, modification } = context;
  const preparing = unprepared(context)?.candidate ?? '';
  const id = candidate ?? '';
  switch (actor) {
    case 'judge':
      return decisions;
    case 'discover':
      return [
        has.discovered(['a', 'b', 'c'], { usage: has.used(10, 3_000) }),
        has.discovered(['a']),
        has.discovered([]),
      ];
    case 'filterDiscoveries':
      return [has.filtered(['a', 'b'], { usage: has.used(200, 5_000) }), has.filtered(['a']), has.filtered([])];
    case 'writePlans':
      return [has.planned(['a', 'b'], has.used(3_000)), has.planned([])];
    case 'admitExperiment':
      return [admittedExperiment({ state }) as LoopEvent];
    case 'prepareExperiment':
      return [
        has.preparedFor(preparing),
        has.preparedFor(preparing),
        { type: 'experiment.refused', payload: { candidate: preparing, fault: FAULT } },
      ];
    case 'runAgent':
      return [
        has.settled(40_000, is.outcomeOf('success'), 70_000),
        has.settled(50_000, is.outcomeOf('budget')),
        has.settled(60_000, is.abortedBy('error', FAULT), 11_000),
        has.settled(70_000, is.outcomeOf('abort')),
        is.attemptAsked,
        is.attemptAnswered,
      ].map((event) => is.inLane(event, input['lane'] ?? ''));
    case 'evaluateCandidate':
      return [
        has.evaluated(id, null, { usage: has.used(500_000, 13_000) }),
        has.evaluated(id, 'tests', { usage: has.used(600_000) }),
        has.built(id),
        has.tier(id, 'tests'),
        is.checked(true),
      ];
    case 'integrateCandidate':
      return [
        has.integrated(id, { usage: has.used(7_000_000, 17_000) }),
        has.notIntegrated(id, has.used(8_000_000)),
        is.workspaceCaptured(),
      ];
    case 'askAboutIntegration':
      return modification === null ? [] : rulings(modification);
    case 'summarise':
      return [
        { type: 'summary.written', payload: { text: 'over', usage: has.used(90_000_000, 19_000) } },
        is.summaryWritten,
      ];
    case 'endStrategy':
      return [is.strategyEnded];
    case 'timer':
      return [is.timerFired(input['timer'] === 'grace' || input['timer'] === 'ending' ? input['timer'] : 'deadline')];
    default:
      return [is.baselineTaken(false)];
  }
}

const rulings = (digest: string): readonly LoopEvent[] => [
  { type: 'integration.approved', payload: { digest, reason: null } },
  { type: 'integration.denied', payload: { digest, reason: 'too risky' } },
];

const GO_ON = 24;
const decisions: readonly LoopEvent[] = [
  ...Array.from({ length: GO_ON }, () => is.decidedToGoOn),
  ...(['success', 'cap_hit', 'doom_loop', 'budget', 'abort'] as const).map(is.decidedToEnd),
];

/** An interruption of an effect that may have asked a model has used something, also where nothing limits it. */
function withUse(event: LoopEvent): LoopEvent {
  const asks = ['discovery', 'filter', 'plans', 'evaluation'].some((name) => event.type === `${name}.interrupted`);
  if (!asks || 'usage' in event.payload) return event;
  return { ...event, payload: { ...event.payload, usage: has.used(1_000_000_000) } } as LoopEvent;
}

function begins(event: LoopEvent, state: RunState): LoopEvent | null {
  if (event.type !== 'decision.made' || event.payload.action !== 'continue') return null;
  const context = state.snapshot.context as ImprovementContext;
  if (context.baseline === 'running') return null;
  if (hasNext(context)) {
    return improvementRounds.begin(context, { at: '', reserved: reserveForPhase({ state }) }) as LoopEvent;
  }
  const left = leftFor(context, 'discovery');
  const started = is.iterationStarted(context.iterations);
  return { ...started, payload: { ...started.payload, ...(isLimited(left) ? { reserved: left } : {}) } };
}
