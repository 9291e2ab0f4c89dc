import type { AnyEvent, LoopEvent } from '../../../machines/events.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { HandlerMemory } from '../../../src/loops/shared/handler-memory.ts';
import { localServices } from '../../../src/hosts/local/local-services.ts';
import { effectHandlers } from '../../../src/loops/find-handler.ts';
import { shippedLoops } from '../../../src/loops/index.ts';
import { trying } from './trying.ts';

export const RUN = '01900000-0000-7000-8000-00000000a16e';

/** A run of one process: the memory of its log, and effects that are executed with it. */
export function oneProcess(settings: RunSettings, store: string, before: readonly AnyEvent[]) {
  const services = localServices({}, { log: { store } } as never);
  const shared = { ...services, rootOf: async () => RUN, isWithin: async () => false };
  const loop = shippedLoops.find(({ id }) => id.startsWith('improvement'));
  if (!loop) throw new Error('there is no improvement loop');
  const memory = new HandlerMemory(RUN, settings, () => [], loop);
  const facts: AnyEvent[] = [];
  let newest = '';
  const observe = ({ type, payload }: AnyEvent) => {
    facts.push({ type, payload });
    if (type === 'experiment.started') newest = (payload as { readonly candidate: string }).candidate;
    memory.observe({ type, payload, run: RUN, version: facts.length, at: new Date().toISOString() } as never);
  };
  for (const event of before) observe(event);
  const handlerOf = effectHandlers(shared);
  const executionOf = (actor: string) => {
    const request = {
      effect: { effect: '1/0', key: actor, actor, input: {}, attempt: 1, told: false },
      context: { run: RUN, settings, state: trying(newest), at: '' },
      memory,
      strategy: {} as never,
    };
    const execution = handlerOf(request).execute?.(request);
    if (execution?.kind !== 'actor') throw new Error(`${actor} is not executed`);
    return execution;
  };
  const calling = (signal = new AbortController().signal) => ({
    id: `${RUN}/1/0`,
    attempt: 1,
    signal,
    delta: () => {},
  });
  /** As the recovery does with an effect that was cancelled. */
  const reconcile = (actor: string) => executionOf(actor).reconcile?.(calling());
  /** As the dispatcher does: each event is recorded before the effect goes on. */
  const run = async (actor: string, how: { signal?: AbortSignal; on?: (event: LoopEvent) => unknown } = {}) => {
    const execution = executionOf(actor);
    const events: LoopEvent[] = [];
    const call = calling(how.signal);
    for await (const event of execution.execute(call)) {
      await how.on?.(event);
      observe(event);
      events.push(event);
    }
    return events;
  };
  return { memory, facts, run, reconcile };
}
