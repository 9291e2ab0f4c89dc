import type { Dispute, RecordedProof } from '../../machines/recorded-proof.ts';
import type { CheckResult, EventOf, LoopEvent, ToolCall } from '../../machines/events.ts';
import type { AbortCause, Ending, Fault, Finding, Outcome, ReachedLimit } from '../../machines/outcome.ts';
import type { Limits, RunSettings } from '../../machines/settings.ts';

/** What can happen to a run, in words: the details that a test is not about are filled in here, once. */

const USAGE = { inputTokens: 10, outputTokens: 1 };
const FAULT: Fault = { code: 'broken', message: 'it broke' };
const CHECK = { level: 'L1', name: 'unit', command: 'true', timeoutMs: 1000 } as const;

const PROOF = {
  base: 'tree-0',
  at: '2026-03-01T12:00:00.000Z',
  head: null,
  protect: [],
  unprotect: [],
  dependencies: ['node_modules'],
};

export const LIMITS: Limits = { maxSteps: 20, maxToolCalls: 50, maxTokens: null, maxIterations: 3, maxTimeMs: 60_000 };
export const GRACE_MS = 5000;

export interface Beginning {
  readonly limits?: Partial<Limits>;
  /** Whether the finished work is to be checked. */
  readonly checks?: boolean;
  /** Whether the checks first run on what the run begins with. */
  readonly proof?: boolean;
  /** The loop's own options. */
  readonly options?: NonNullable<RunSettings['options']>;
}

/** The loops that ship. */
export type Loop = 'turn' | 'iteration' | 'ralph' | 'improvement' | 'contest';

export function settingsOf(
  loop: Loop,
  { limits = {}, checks = false, proof = false, options }: Beginning = {},
): RunSettings {
  return {
    loop,
    prompt: 'mend the clock',
    system: null,
    model: 'script:answers.json',
    tools: ['read', 'shell'],
    directory: 'workspace',
    limits: { ...LIMITS, ...limits },
    attemptLimits: loop === 'turn' ? null : LIMITS,
    checks: checks ? [CHECK] : [],
    strategy: null,
    graceMs: GRACE_MS,
    parent: null,
    ...(proof ? { proof: PROOF } : {}),
    ...(options ? { options } : {}),
  };
}

export const started = (loop: Loop, beginning?: Beginning): EventOf<'run.started'> => ({
  type: 'run.started',
  payload: { machine: `${loop}@1`, settings: settingsOf(loop, beginning) },
});
export const turnStarted = (beginning?: Beginning) => started('turn', beginning);
export const loopStarted = (beginning?: Beginning) => started('iteration', beginning);

export const continued = (limits: Partial<Limits> = {}, idleMs = 0): LoopEvent => ({
  type: 'run.continued',
  payload: { limits: { ...LIMITS, ...limits }, attemptLimits: null, strategy: null, idleMs },
});
export const paused: LoopEvent = { type: 'run.paused', payload: { by: 'signal' } };
export const resumed = (idleMs = 0): LoopEvent => ({ type: 'run.resumed', payload: { idleMs } });
export const warned: LoopEvent = {
  type: 'warning.raised',
  payload: { code: 'calls_ignored', message: 'no tool was offered' },
};
export const abortRequested = (cause: AbortCause = 'user', reason: string | null = null): LoopEvent => ({
  type: 'abort.requested',
  payload: { cause, reason },
});
export const timerFired = (timer: EventOf<'timer.fired'>['payload']['timer']): LoopEvent => ({
  type: 'timer.fired',
  payload: { timer },
});

export const steered: LoopEvent = { type: 'run.steered', payload: { text: 'and use tabs' } };

export const decidedToGoOn: LoopEvent = {
  type: 'decision.made',
  payload: { action: 'continue', reason: 'nothing speaks against it', evidence: [] },
};
export const decidedToEnd = (ending: Ending): LoopEvent => ({
  type: 'decision.made',
  payload: { action: 'stop', sink: outcomeOf(ending), reason: ending, evidence: [] },
});
export const summaryWritten: LoopEvent = { type: 'summary.written', payload: { text: 'step limit reached (20/20)' } };
export const strategyEnded: LoopEvent = { type: 'strategy.ended', payload: { strategy: 'fixed', fault: null } };

export const interrupted = (actor: EventOf<'effect.interrupted'>['payload']['actor']): LoopEvent => ({
  type: 'effect.interrupted',
  // A model was asked for the summary: what it used counts.
  payload: { actor, reason: 'told to stop', ...(actor === 'compaction' ? { usage: USAGE } : {}) },
});
export const workspaceCaptured = (hash: string | null = 'tree-1'): LoopEvent => ({
  type: 'workspace.captured',
  payload: { hash, ref: null, changed: [] },
});
export const workspaceFailed: LoopEvent = { type: 'workspace.failed', payload: { fault: FAULT } };
const resultOf = (passed: boolean): CheckResult => ({
  name: 'unit',
  passed,
  output: '',
  exitCode: passed ? 0 : 1,
  durationMs: 5,
});
export function checked(passed: boolean, workspace: string | null = 'tree-1'): LoopEvent {
  const levels = [{ level: 'L1' as const, passed, checks: [resultOf(passed)] }];
  return { type: 'verification.completed', payload: { passed, workspace, levels } };
}
/** The checks fail with the grounds of the base, and pass with those of the work: a person decides. */
export function disputed(
  digest: string,
  workspace: string | null = 'tree-1',
  is: Dispute['is'] = 'asked',
): EventOf<'verification.completed'> {
  const { payload } = checked(is === 'approved', workspace) as EventOf<'verification.completed'>;
  return {
    type: 'verification.completed',
    payload: { ...payload, proof: proofOf({ is, digest, diff: '', tests: [], testsCount: 0 }) },
  };
}
const proofOf = (dispute: Dispute): RecordedProof => ({
  base: 'tree-0',
  legs: [],
  grounds: [],
  groundsChanged: 1,
  walls: 'full',
  dependenciesChanged: 0,
  tests: [],
  unreported: [],
  unchanged: false,
  pointersHome: 0,
  dispute,
});
export const ruled = (granted: boolean, digest: string): LoopEvent => ({
  type: granted ? 'grounds.approved' : 'grounds.denied',
  payload: { digest, reason: null },
});
export const baselineTaken = (passed: boolean, fault?: Fault): LoopEvent => {
  const levels = [{ level: 'L1' as const, passed, checks: [resultOf(passed)] }];
  return {
    type: 'baseline.taken',
    payload: { passed, workspace: 'tree-0', levels, tests: [], ...(fault ? { fault } : {}) },
  };
};

export const stepStarted = (step: number): EventOf<'step.started'> => ({
  type: 'step.started',
  payload: { step, startedAt: '2026-03-01T12:00:00.000Z' },
});
const called = (callId: string): ToolCall => ({ callId, providerId: null, tool: 'read', arguments: { path: 'a.txt' } });
export const modelAnswered: LoopEvent = { type: 'model.completed', payload: { text: 'done', calls: [], usage: USAGE } };
export const modelAskedFor = (...callIds: readonly string[]): LoopEvent => ({
  type: 'model.completed',
  payload: { text: '', calls: callIds.map(called), usage: USAGE },
});
export const modelFailed: LoopEvent = { type: 'model.failed', payload: { fault: FAULT, usage: USAGE } };
export const modelInterrupted: LoopEvent = {
  type: 'model.interrupted',
  payload: { reason: 'told to stop', text: 'I would', usage: USAGE },
};
export const modelRetried: LoopEvent = { type: 'model.retried', payload: { attempt: 1, fault: FAULT, usage: USAGE } };
export const modelLimited = (retryAt = '2026-03-01T12:10:00.000Z'): LoopEvent => ({
  type: 'model.limited',
  payload: { retryAt },
});
export const agentWorked: LoopEvent = {
  type: 'agent.worked',
  payload: { calls: [{ call: 'c1', title: 'npm test', kind: 'execute', status: 'in_progress' }] },
};
export const contextFilled: LoopEvent = { type: 'context.filled', payload: { usage: USAGE } };
export const contextCompacted: LoopEvent = { type: 'context.compacted', payload: { summary: 'so far', usage: USAGE } };

export const SHARE = { tokens: 900, nanoUsd: null, steps: 4, toolCalls: 2 };

/** Calls that may run; those whose id ends in `?` ask a person, those in `>` hand work over. */
export const callsAdmitted = (...callIds: readonly string[]): LoopEvent => ({
  type: 'calls.admitted',
  payload: { run: callIds.map(admitted), refused: [] },
});
const admitted = (asked: string) => {
  const callId = asked.replace(/[?>]$/, '');
  if (asked.endsWith('>')) return { callId, actor: 'runAgent' as const, share: SHARE };
  return { callId, actor: asked.endsWith('?') ? ('askPerson' as const) : ('runTool' as const) };
};
export const callsRefused = (...callIds: readonly string[]): LoopEvent => ({
  type: 'calls.admitted',
  payload: { run: [], refused: callIds.map((callId) => ({ callId, reason: 'budget' })) },
});
export const toolCompleted = (callId: string): LoopEvent => ({
  type: 'tool.completed',
  payload: { callId, output: 'ok' },
});
export const toolFinished = (callId: string): LoopEvent => ({
  type: 'tool.completed',
  payload: { callId, output: 'ok', answer: 'the clock runs' },
});
export const toolFailed = (callId: string): LoopEvent => ({ type: 'tool.failed', payload: { callId, fault: FAULT } });
export const toolInterrupted = (callId: string): LoopEvent => ({
  type: 'tool.interrupted',
  payload: { callId, reason: 'told to stop' },
});
export const serverAsked = (callId: string): LoopEvent => ({
  type: 'server.asked',
  payload: { callId, question: { server: 'tickets', message: 'Which one?', form: { type: 'object' }, digest: 'd1' } },
});
export const serverAnswered = (callId: string): LoopEvent => ({
  type: 'server.answered',
  payload: { callId, answer: 'the first', form: { digest: 'd1', action: 'accept', content: { which: 1 } } },
});
export const personAnswered = (callId: string): LoopEvent => ({
  type: 'person.answered',
  payload: { callId, answer: 'yes' },
});

export const handedBack = (callId: string, outcome: Outcome = outcomeOf('success')): LoopEvent => {
  const { payload } = attemptSettled(outcome) as EventOf<'child.settled'>;
  return { type: 'child.settled', payload: { ...payload, callId } };
};
export const childAsked = (callId: string): LoopEvent => ({
  type: 'child.asked',
  payload: { child: 'child-1', callId },
});
export const childAnswered = (callId: string): LoopEvent => ({
  type: 'child.answered',
  payload: { child: 'child-1', callId },
});

export const iterationStarted = (iteration: number): EventOf<'iteration.started'> => ({
  type: 'iteration.started',
  payload: { iteration, startedAt: '2026-03-01T12:00:00.000Z' },
});
export const attemptAsked: LoopEvent = { type: 'child.asked', payload: { child: 'child-1' } };
export const attemptAnswered: LoopEvent = { type: 'child.answered', payload: { child: 'child-1' } };
export const attemptSettled = (outcome: Outcome = outcomeOf('success')): LoopEvent => ({
  type: 'child.settled',
  payload: {
    child: 'child-1',
    outcome,
    answer: 'done',
    spend: { inputTokens: 70, outputTokens: 7, toolCalls: 3, steps: 2 },
  },
});

/** The same, of one of several children at once. */
export const inLane = ({ type, payload }: LoopEvent, lane: string): LoopEvent =>
  ({ type, payload: { ...payload, lane } }) as LoopEvent;

const LIMIT: ReachedLimit = { name: 'steps', used: 20, limit: 20 };
const FINDING: Finding = { detector: 'identical-calls', level: 'stop', count: 3, message: 'three times', evidence: [] };

export function outcomeOf(ending: Ending): Outcome {
  switch (ending) {
    case 'success':
      return { ending, verified: null, partial: false };
    case 'cap_hit':
    case 'budget':
      return { ending, limit: LIMIT };
    case 'doom_loop':
      return { ending, finding: FINDING };
    case 'abort':
      return { ending, cause: 'user', fault: null };
  }
}
export const abortedBy = (cause: AbortCause, fault: Fault | null = null): Outcome => ({
  ending: 'abort',
  cause,
  fault,
});
