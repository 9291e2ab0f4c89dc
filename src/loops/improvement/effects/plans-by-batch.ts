import type { LoopEvent } from '../../../../machines/events.ts';
import { MAX_PLAN_CHARS } from '../../../../machines/improvement-facts.ts';
import { planTokens } from '../../../../machines/improvement-progress.ts';
import type { Fault } from '../../../../machines/outcome.ts';
import type { Share } from '../../../../machines/usage.ts';
import type { BatchResult, BatchRequest, BatchService } from '../../../actors/model/batch-service.ts';
import type { Clock } from '../../../actors/timer/clock.ts';
import { BUDGET_EXHAUSTED, isLimited, leftFor, MIN_ANSWER_TOKENS } from '../../../budget/allowance.ts';
import { estimatedTokens } from '../../../budget/message-length.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import { MAX_PLAN_TOKENS } from '../planning/plan-size.ts';
import { totalUsage } from '../total-usage.ts';
import { head } from '../../../text/excerpt.ts';
import { type Planned, type Planning, promptFor } from './plan-prompts.ts';

/** How long the result of a batch is waited for between two questions: the first ones come quickly. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** Providers answer a batch within a day, or not at all. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1_000;
/** So many batches of one iteration may fail. */
const MAX_BATCHES = 2;
/** So often a batch is handed in under one key. */
const MAX_SUBMITS = 3;
const SUBMIT_WAIT_MS = 1_000;
/** So often in a row a question about a batch may fail: the network may be gone for a while. */
const MAX_FAILURES = 10;

/**
 * Hands the plans in as one batch, unless that was done before, and waits for its result. A batch that cannot be handed
 * in is handed in again, under the same key; one that failed is asked again as another one. Returns its plans.
 */
export async function* plansByBatch(
  planning: Planning,
  service: BatchService,
  clock: Clock,
): AsyncGenerator<LoopEvent, Planned> {
  const { own, call } = planning;
  let { batch } = own.plans;
  let fault: Fault = NO_ROOM;
  for (let time = 1; time <= MAX_BATCHES && !call.signal.aborted; time += 1) {
    if (batch === null) {
      const requests = await requestsOf(planning);
      if (requests.length === 0) break;
      const submitted = await handedIn(service, requests, { ...planning, clock, time });
      if (typeof submitted !== 'string') return { plans: [], fault: submitted };
      batch = submitted;
      const reserved = reservedFor(requests, planning);
      yield { type: 'batch.submitted', payload: { batch, requests: requests.length, ...reserved } };
    }
    const result = await resultOf(batch, service, clock, call.signal);
    if (result === null) return { plans: [] };
    if (result.kind === 'results') return plannedBy(result, planning);
    fault = result.fault;
    batch = null;
  }
  return { plans: [], fault };
}

const NO_ROOM: Fault = {
  code: BUDGET_EXHAUSTED,
  message: 'what is left of the budget has no room for a batch of plans',
};

/** The most that they may use, where the run is limited: nothing else begins before they are answered. */
function reservedFor({ length }: readonly BatchRequest[], { request, own }: Planning): { readonly reserved?: Share } {
  const left = leftFor(lifeOf(request.context.state), 'planning');
  if (!isLimited(left)) return {};
  const tokens = length * planTokens(own.options.phases.experiment.estimateTokens);
  return { reserved: { tokens: left.tokens === null ? tokens : Math.min(tokens, left.tokens), nanoUsd: left.nanoUsd } };
}

/** As many as there is room for, the most relevant first: each may use the same. */
async function requestsOf(planning: Planning): Promise<readonly BatchRequest[]> {
  const { request, own, candidates, model } = planning;
  const each = planTokens(own.options.phases.experiment.estimateTokens);
  const { tokens } = leftFor(lifeOf(request.context.state), 'planning');
  const room = tokens === null ? candidates.length : Math.floor(tokens / each);
  const asked = await Promise.all(
    candidates.slice(0, room).map(async (one) => ({ id: one.id, prompt: await promptFor(one, planning) })),
  );
  return asked.flatMap(({ id, prompt }) => {
    const maxOutputTokens = Math.min(MAX_PLAN_TOKENS, each - estimatedTokens(prompt.length));
    return maxOutputTokens < MIN_ANSWER_TOKENS ? [] : [{ id, model, prompt, maxOutputTokens }];
  });
}

/** The key is the same after a crash: where the id was not recorded, the service knows the batch. */
async function handedIn(
  service: BatchService,
  requests: readonly BatchRequest[],
  { request, own, call: { signal }, clock, time }: Planning & { readonly clock: Clock; readonly time: number },
): Promise<string | Fault> {
  const key = `${request.context.run}/plans/${own.iteration}${time === 1 ? '' : `/${time}`}`;
  for (let submit = 1; ; submit += 1) {
    try {
      return await service.submit(requests, { key, signal });
    } catch (error) {
      if (submit === MAX_SUBMITS || signal.aborted) return faultOf(error);
      await clock.sleepUntil(clock.now() + SUBMIT_WAIT_MS * submit, signal);
    }
  }
}

const faultOf = (error: unknown): Fault => ({
  code: 'batch_failed',
  message: error instanceof Error ? error.message : String(error),
});

/** Null: told to stop. */
async function resultOf(
  batch: string,
  service: BatchService,
  clock: Clock,
  signal: AbortSignal,
): Promise<Exclude<BatchResult, { kind: 'pending' }> | null> {
  const end = clock.monotonic() + MAX_WAIT_MS;
  let failures = 0;
  for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
    const result = await service.result(batch, { signal }).catch(faultOf);
    if (!('kind' in result)) failures += 1;
    else if (result.kind !== 'pending') return result;
    else failures = 0;
    if (failures >= MAX_FAILURES && !('kind' in result)) return { kind: 'failed', fault: result };
    const leftMs = end - clock.monotonic();
    if (leftMs <= 0) return { kind: 'failed', fault: expired(batch) };
    await clock.sleepUntil(clock.now() + Math.min(leftMs, wait), signal);
  }
  return null;
}

const expired = (batch: string): Fault => ({
  code: 'batch_expired',
  message: `the batch ${batch} has no result after ${MAX_WAIT_MS / 3_600_000} hours`,
});

function plannedBy(result: Extract<BatchResult, { kind: 'results' }>, { candidates }: Planning): Planned {
  const wanted = new Set(candidates.map(({ id }) => id));
  const answers = result.answers.filter(({ id }) => wanted.has(id));
  const plans = answers.flatMap((one) =>
    one.kind === 'answered' && one.text.trim() !== ''
      ? [{ candidate: one.id, text: head(one.text, MAX_PLAN_CHARS) }]
      : [],
  );
  const [fault] = answers.flatMap((one) => (one.kind === 'failed' ? [one.fault] : []));
  const usage = totalUsage(answers.map((one) => one.usage));
  return { plans, ...(usage ? { usage } : {}), ...(fault ? { fault } : {}) };
}
