import type { LoopEvent, Recorded } from '../../../machines/events.ts';
import type { Stopped } from '../../../src/actors/actor.ts';
import type { BatchService } from '../../../src/actors/model/batch-service.ts';
import { HandlerMemory } from '../../../src/loops/shared/handler-memory.ts';
import type { EffectRequest } from '../../../src/loops/shared/effect.ts';
import { plans, writePlans } from '../../../src/loops/improvement/effects/write-plans.ts';
import { localServices } from '../../../src/hosts/local/local-services.ts';
import type { ServiceOptions } from '../../../src/hosts/local/service-options.ts';
import { fold, lifeOf, open } from '../../../src/kernel/fold.ts';
import { shippedLoops } from '../../../src/loops/index.ts';
import { decidedToGoOn, iterationStarted } from '../../support/facts.ts';
import { discovered, experimented, filtered, type Night, nightStarted } from './night-facts.ts';
import { recordedNight } from './recorded-night.ts';

/** A clock whose sleeps are over at once: the time goes on by them. */
function leapingClock() {
  let now = Date.parse('2030-01-01T00:00:00.000Z');
  return {
    now: () => now,
    sleepUntil: async (until: number, signal: AbortSignal) => {
      if (!signal.aborted) now = Math.max(now, until);
    },
  };
}

/** The plans that a run asks for whose first experiment has begun, with what its log has of them already. */
export function waitingForPlans(candidates: readonly string[], night: Night = {}) {
  const facts: LoopEvent[] = [
    nightStarted(night),
    decidedToGoOn,
    iterationStarted(0),
    discovered(candidates),
    filtered(candidates),
    decidedToGoOn,
    experimented(candidates[0] ?? ''),
  ];
  const signal = new AbortController();
  const written = async (options: ServiceOptions, id = 'night/8/0'): Promise<readonly LoopEvent[]> => {
    const services = localServices({ clock: leapingClock(), ...options });
    const request = requestAfter(facts, services);
    const execution = writePlans(services).execute?.(request);
    if (execution?.kind !== 'actor') throw new Error('plans are written by an actor');
    const events: LoopEvent[] = [];
    const call = { id, attempt: 1, signal: signal.signal, delta: () => {} };
    for await (const event of execution.execute(call)) {
      events.push(event);
      // What it says on the way is recorded at once.
      if (event.type === 'batch.submitted') facts.push(event);
    }
    return events;
  };
  /** The answer where nothing is missing. Null: they have to be written. */
  const decided = (options: ServiceOptions): LoopEvent | null => {
    const services = localServices(options);
    const { context, memory, ...asked } = requestAfter(facts, services);
    const has = { ...asked, ...services, isAttended: false, hasBatches: services.batch !== null };
    return (plans.decide?.(context, memory.judge, has) ?? null) as LoopEvent | null;
  };
  /** What is set aside for them. */
  const reserved = () => lifeOf(requestAfter(facts, localServices()).context.state).reserved['planning']?.tokens;
  return {
    written,
    decided,
    reserved,
    stop: (why: Stopped) => signal.abort(why),
    add: (...events: LoopEvent[]) => facts.push(...events),
  };
}

function requestAfter(events: readonly LoopEvent[], services: ReturnType<typeof localServices>): EffectRequest {
  const facts = recordedNight(events) as readonly Recorded<LoopEvent>[];
  const [started, ...others] = facts;
  const loop = shippedLoops.find(({ id }) => id === 'improvement@1');
  if (started?.type !== 'run.started' || !loop) throw new Error('no improvement loop');
  const opened = open(started, shippedLoops);
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  const { settings } = started.payload;
  const memory = new HandlerMemory('night', settings, () => [], loop);
  const state = others.reduce(fold, opened.state);
  for (const fact of facts) memory.observe(fact as never);
  const effect = state.outstanding.find(({ key }) => key === 'planning');
  if (!effect) throw new Error(`no plan is asked for: ${state.outstanding.map(({ key }) => key).join(', ')}`);
  return {
    effect,
    context: { run: 'night', settings, state, at: state.at },
    memory,
    strategy: services.strategies.of({ configured: null, limits: settings.limits, directory: settings.directory }),
  };
}

/** A provider's batches, in memory: a batch has its results after some questions about it. */
export function batches(pendingFor: number) {
  const known = new Map<string, { readonly id: string; readonly requests: Parameters<BatchService['submit']>[0] }>();
  let submitted = 0;
  let asked = 0;
  const service: BatchService = {
    submit: async (requests, { key }) => {
      const before = known.get(key);
      if (before) return before.id;
      submitted += 1;
      known.set(key, { id: `batch-${submitted}`, requests });
      return `batch-${submitted}`;
    },
    result: async (batch) => {
      asked += 1;
      const found = [...known.values()].find(({ id }) => id === batch);
      if (!found) return { kind: 'failed', fault: { code: 'unknown_batch', message: batch } };
      if (asked <= pendingFor) return { kind: 'pending' };
      const usage = { inputTokens: 100, outputTokens: 10 };
      const answers = found.requests.map(({ id }) => ({ id, kind: 'answered' as const, text: `Plan of ${id}`, usage }));
      return { kind: 'results', answers };
    },
  };
  return {
    service,
    submitted: () => submitted,
    asked: () => asked,
    requests: () => [...known.values()].flatMap((one) => one.requests),
  };
}
