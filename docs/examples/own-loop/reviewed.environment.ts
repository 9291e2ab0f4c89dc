import type { Ending, EventOf, Limits, Outcome, RunSettings } from 'loopfold/machines';
import type { RunState, ProofEnvironment } from 'loopfold/testing';
import type { ReviewedEvent } from './reviewed.events.ts';

const LIMITS: Limits = { maxSteps: null, maxToolCalls: null, maxTokens: 5_000, maxIterations: 3, maxTimeMs: 600_000 };
const CHECK = { level: 'L1', name: 'unit', command: 'npm test', timeoutMs: 60_000 } as const;

const PROOF = {
  base: 'tree-0',
  at: '2026-03-01T12:00:00.000Z',
  head: null,
  protect: [],
  unprotect: [],
  dependencies: [],
};

/** Opens a run. */
export function started(more: Partial<RunSettings> = {}): EventOf<'run.started'> {
  const settings: RunSettings = {
    loop: 'reviewed',
    prompt: 'Write the release notes.',
    system: null,
    model: 'script:answers.json',
    tools: [],
    directory: 'workspace',
    limits: LIMITS,
    attemptLimits: null,
    checks: [CHECK],
    strategy: null,
    graceMs: 5_000,
    parent: null,
    ...more,
  };
  return { type: 'run.started', payload: { machine: 'reviewed@1', settings } };
}

export const iterationStarted = (iteration: number): ReviewedEvent => ({
  type: 'iteration.started',
  payload: { iteration, startedAt: '2026-03-01T12:00:00.000Z' },
});
export const settled = (outcome: Outcome): ReviewedEvent => ({
  type: 'child.settled',
  payload: {
    child: 'attempt',
    outcome,
    answer: 'Done.',
    spend: { inputTokens: 70, outputTokens: 7, toolCalls: 1, steps: 2 },
  },
});
export const captured: ReviewedEvent = {
  type: 'workspace.captured',
  payload: { hash: 'tree-1', ref: null, changed: [] },
};
export const checked = (passed: boolean): ReviewedEvent => {
  const check = { name: 'unit', passed, output: '', exitCode: passed ? 0 : 1, durationMs: 5 };
  return {
    type: 'verification.completed',
    payload: { passed, workspace: 'tree-1', levels: [{ level: 'L1', passed, checks: [check] }] },
  };
};
const baselineTaken: ReviewedEvent = {
  type: 'baseline.taken',
  payload: { passed: false, workspace: 'tree-0', levels: [], tests: [] },
};
export const reviewGiven = (approved: boolean): ReviewedEvent => ({
  type: 'review.given',
  payload: {
    approved,
    remark: approved ? 'Good.' : 'This is hard to understand.',
    usage: { inputTokens: 60, outputTokens: 6 },
  },
});
export const goesOn: ReviewedEvent = {
  type: 'decision.made',
  payload: { action: 'continue', reason: 'not approved yet', evidence: [] },
};
export const endsIn = (sink: Outcome): ReviewedEvent => ({
  type: 'decision.made',
  payload: { action: 'stop', sink, reason: sink.ending, evidence: [] },
});

const FAULT = { code: 'broken', message: 'it broke' };
const LIMIT = { name: 'iterations', used: 3, limit: 3 } as const;

/** How a run, or an attempt, can end. */
export const outcomes: { readonly [name in Ending]: Outcome } = {
  success: { ending: 'success', verified: null, partial: false },
  cap_hit: { ending: 'cap_hit', limit: LIMIT },
  doom_loop: {
    ending: 'doom_loop',
    finding: { detector: 'no-progress', level: 'stop', count: 3, message: 'stuck', evidence: [] },
  },
  budget: { ending: 'budget', limit: { name: 'tokens', used: 5_000, limit: 5_000 } },
  abort: { ending: 'abort', cause: 'user', fault: null },
};
const failed: Outcome = { ending: 'abort', cause: 'error', fault: FAULT };

const interrupted = (actor: 'agent' | 'capture' | 'checks'): ReviewedEvent => ({
  type: 'effect.interrupted',
  payload: { actor, reason: 'told to stop' },
});
const reviewInterrupted: ReviewedEvent = { type: 'review.interrupted', payload: { reason: 'told to stop' } };
const reviewFailed: ReviewedEvent = {
  type: 'review.failed',
  payload: { fault: FAULT, usage: { inputTokens: 60, outputTokens: 0 } },
};
const timerFired = (timer: EventOf<'timer.fired'>['payload']['timer']): ReviewedEvent => ({
  type: 'timer.fired',
  payload: { timer },
});
const abortRequested: ReviewedEvent = { type: 'abort.requested', payload: { cause: 'user', reason: null } };
const continued: ReviewedEvent = {
  type: 'run.continued',
  payload: { limits: { ...LIMITS, maxIterations: 5 }, attemptLimits: null, strategy: null, idleMs: 1_000 },
};

/** What each actor may answer, the most ordinary answer first. */
const answers: Readonly<Record<string, readonly ReviewedEvent[]>> = {
  judge: [...Array.from({ length: 20 }, () => goesOn), ...Object.values(outcomes).map(endsIn)],
  runAgent: [...Object.values(outcomes).map(settled), settled(failed), interrupted('agent')],
  captureWorkspace: [captured, { type: 'workspace.failed', payload: { fault: FAULT } }, interrupted('capture')],
  takeBaseline: [baselineTaken, interrupted('checks')],
  verifyWork: [checked(true), checked(false), interrupted('checks')],
  askReviewer: [reviewGiven(true), reviewGiven(false), reviewFailed, reviewInterrupted],
  summarise: [{ type: 'summary.written', payload: { text: 'Three attempts, none approved.' } }],
  endStrategy: [{ type: 'strategy.ended', payload: { strategy: null, fault: null } }],
};

const remarks: readonly ReviewedEvent[] = [
  { type: 'warning.raised', payload: { code: 'odd', message: 'something is odd' } },
  { type: 'run.steered', payload: { text: 'and mention the authors' } },
  { type: 'run.paused', payload: { by: 'user' } },
  { type: 'run.resumed', payload: { idleMs: 60_000 } },
  continued,
  abortRequested,
];

/** Everything that may happen to a reviewed loop. */
export const environment: ProofEnvironment<ReviewedEvent> = {
  openings: {
    checked: started(),
    proven: started({ proof: PROOF }),
    unchecked: started({ checks: [] }),
    short: started({ limits: { ...LIMITS, maxIterations: 1 } }),
  },
  answers: ({ actor, input }) => {
    if (actor === 'timer') return [timerFired(input['timer'] as EventOf<'timer.fired'>['payload']['timer'])];
    return answers[actor] ?? [];
  },
  follows: (event, { snapshot }: RunState) =>
    event.type === 'decision.made' && event.payload.action === 'continue' && snapshot.context.baseline !== 'running'
      ? iterationStarted(snapshot.context.iterations)
      : null,
  remarks: () => remarks,
  noise: [...Object.values(answers).flat(), ...remarks, iterationStarted(7)],
};
