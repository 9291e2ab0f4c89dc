import type { LoopEvent } from '../../machines/events.ts';
import type { Discovery } from '../../machines/improvement-facts.ts';
import { unprepared } from '../../machines/improvement-lanes.ts';
import type { ImprovementContext } from '../../machines/improvement-progress.ts';
import type { RunState } from '../../src/kernel/fold.ts';
import * as has from './facts.ts';

// What the environment may answer to the effects of an improvement loop: found or not, passed or not, kept or not.

const COST = { inputTokens: 30, outputTokens: 3 };
const FAULT = { code: 'broken', message: 'it broke' };

export const discovery = (id: string, relevanceScore = 1): Discovery => ({
  id,
  title: `fix ${id}`,
  summary: `${id} fails`,
  source: 'failing-tests',
  relevanceScore,
  fingerprint: `print of ${id}`,
});

export const discovered = (discoveries: readonly Discovery[], canChange = false): LoopEvent => ({
  type: 'discovery.completed',
  payload: {
    discoveries: [...discoveries],
    sources: [{ source: 'failing-tests', found: discoveries.length }],
    known: 0,
    left: 0,
    canChange,
    usage: COST,
  },
});

export const filtered = (candidates: readonly Discovery[], scored = false): LoopEvent => ({
  type: 'filter.completed',
  payload: { candidates: [...candidates], refused: 1, beyond: 0, ...(scored ? { usage: COST } : {}) },
});

const ISOLATION = {
  kind: 'worktree',
  origin: '/project',
  top: '/worktrees/one',
  repository: '/project/.git',
  base: 'tree-1',
  dependencies: [],
} as const;

export const prepared = (candidate: string): LoopEvent => ({
  type: 'experiment.prepared',
  payload: {
    candidate,
    base: 'tree-1',
    directory: ISOLATION.top,
    isolation: { ...ISOLATION, dependencies: [] },
    witness: { kind: 'test', text: `Test fails: ${candidate}` },
    dependencies: [{ path: 'node_modules', digest: 'a1', lasting: 'b2' }],
  },
});

/** It begins with the files that an experiment has left which was cut. */
const continuing = (candidate: string): LoopEvent => {
  const event = prepared(candidate);
  return event.type === 'experiment.prepared'
    ? {
        ...event,
        payload: {
          ...event.payload,
          witness: { kind: 'none', text: 'no runner is known' },
          continues: 'tree-0',
          dependencies: null,
        },
      }
    : event;
};

/** Where it is not shown, on a branch of its own. */
export const notShown = (candidate: string): LoopEvent => ({
  type: 'evaluation.completed',
  payload: {
    candidate,
    passed: false,
    tier: 'witness',
    reason: 'not shown: no runner is known',
    tree: 'tree-2',
    grade: 'not regressed',
    because: 'no runner is known',
    apart: { branch: `loopfold/run-${candidate}`, commit: 'c0ffee' },
  },
});

/** An experiment that a limit has cut. */
const cut = (candidate: string): LoopEvent => ({
  type: 'evaluation.completed',
  payload: { candidate, passed: false, tier: 'applies', reason: 'nothing has changed', tree: null, cut: true },
});

const acceptance = (candidate: string): LoopEvent => ({
  type: 'plans.written',
  payload: {
    plans: [{ candidate, text: 'Look first.' }],
    acceptance: [
      {
        candidate,
        test: {
          path: 'test/a.test.js',
          text: "test('a', fails);",
          check: 'tests',
          red: [{ file: 'test/a.test.js', name: 'a', occurrence: 1 }],
          green: [],
        },
      },
      { candidate: 'other', refused: 'its test passes on the head' },
    ],
    by: 'calls',
    usage: COST,
  },
});

export const built = (candidate: string): LoopEvent => ({
  type: 'candidate.built',
  payload: { candidate, modification: `change of ${candidate}`, base: 'tree-1', tree: 'tree-2', changed: [] },
});

const tiered = (candidate: string, passed: boolean): LoopEvent => ({
  type: 'tier.completed',
  payload: { candidate, tier: 'L1', kind: 'check', passed, detail: passed ? '' : 'a test fails', durationMs: 5 },
});

export const evaluated = (candidate: string, passed: boolean): LoopEvent => ({
  type: 'evaluation.completed',
  payload: {
    candidate,
    passed,
    tier: passed ? null : 'L1',
    reason: passed ? 'every tier passed' : 'a test fails',
    tree: 'tree-2',
    ...(passed ? { grade: 'witnessed', because: 'red before, and passes now' } : {}),
    usage: COST,
  },
});

export const integrated = (candidate: string, to: 'head' | 'branch' = 'head'): LoopEvent => ({
  type: 'integration.completed',
  payload: { candidate, branch: 'loopfold/run', commit: 'c0ffee', tree: 'tree-2', to, usage: COST },
});

export const notIntegrated = (candidate: string): LoopEvent => ({
  type: 'integration.failed',
  payload: { candidate, reason: 'the checks fail on the tree of the loop', reverted: true, usage: COST },
});

const ruledOn = (granted: boolean, digest: string): LoopEvent => ({
  type: granted ? 'integration.approved' : 'integration.denied',
  payload: { digest, reason: null },
});

/** The next candidate begins, with a share; or what it has made before is evaluated. */
export function experimentStarted({ queue, spares }: Pick<ImprovementContext, 'queue' | 'spares'>): LoopEvent {
  const [candidate = ''] = queue;
  const how = spares.includes(candidate) ? { built: true as const } : { reserved: { tokens: 100, nanoUsd: null } };
  return { type: 'experiment.started', payload: { candidate, ...how } };
}

/** So that random walks come far. */
const often = (event: LoopEvent): LoopEvent[] => Array.from({ length: 6 }, () => event);

/** Throws for an effect that an improvement loop does not have. */
export function improvementAnswers(actor: string, state: RunState): readonly LoopEvent[] {
  const context = state.snapshot.context as ImprovementContext;
  const candidate = context.candidate ?? '';
  switch (actor) {
    case 'discover':
      return [
        ...often(discovered([discovery('a'), discovery('b')])),
        discovered([discovery('a')], true),
        discovered([]),
      ];
    case 'filterDiscoveries':
      return [
        ...often(filtered([discovery('a'), discovery('b')])),
        filtered([discovery('a')], true),
        filtered([]),
        filtered([], true),
      ];
    case 'admitExperiment':
      return [experimentStarted(context)];
    case 'writePlans':
      return [
        ...often({ type: 'plans.written', payload: { plans: [], by: 'calls', usage: COST } }),
        acceptance(context.lanes[0]?.candidate ?? ''),
        { type: 'batch.submitted', payload: { batch: 'b1', requests: 2, reserved: { tokens: 70, nanoUsd: null } } },
      ];
    case 'prepareExperiment': {
      const id = unprepared(context)?.candidate ?? '';
      return [
        ...often(prepared(id)),
        continuing(id),
        { type: 'experiment.refused', payload: { candidate: id, fault: FAULT } },
      ];
    }
    case 'evaluateCandidate':
      return [
        built(candidate),
        ...often(evaluated(candidate, true)),
        tiered(candidate, true),
        tiered(candidate, false),
        evaluated(candidate, false),
        notShown(candidate),
        cut(candidate),
        has.checked(true, 'tree-2'),
        has.checked(false, 'tree-2'),
      ];
    case 'askAboutIntegration':
      return [true, false].map((granted) => ruledOn(granted, context.modification ?? ''));
    case 'integrateCandidate':
      return [
        integrated(candidate),
        integrated(candidate, 'branch'),
        notIntegrated(candidate),
        notIntegrated(candidate),
        has.workspaceCaptured('tree-2'),
        has.workspaceFailed,
        has.baselineTaken(true),
      ];
    default:
      throw new Error(`this environment has no answers for ${actor}`);
  }
}

/** Every kind of answer, to effects that no run has asked for. */
export const improvementNoise: readonly LoopEvent[] = [
  discovered([discovery('a')]),
  discovered([]),
  filtered([]),
  { type: 'plans.written', payload: { plans: [], by: 'calls' } },
  { type: 'batch.submitted', payload: { batch: 'b1', requests: 2 } },
  prepared('nothing'),
  { type: 'experiment.refused', payload: { candidate: 'nothing', fault: FAULT } },
  built('nothing'),
  tiered('nothing', true),
  evaluated('nothing', true),
  integrated('nothing'),
  notIntegrated('nothing'),
  ruledOn(true, 'digest of nothing'),
  ruledOn(false, 'digest of nothing'),
  experimentStarted({ queue: ['nothing'], spares: [] }),
  has.inLane(has.attemptSettled(), 'nothing'),
  has.inLane(has.attemptAsked, 'nothing'),
  has.inLane(has.attemptAnswered, 'nothing'),
  ...['discovery', 'filter', 'plans', 'preparation', 'evaluation', 'approval', 'integration'].map(
    (what) => ({ type: `${what}.interrupted`, payload: { reason: 'told to stop' } }) as LoopEvent,
  ),
];
