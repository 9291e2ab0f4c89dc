import { type AnyStateMachine, assign } from 'xstate';
import * as life from '../../../machines/life.ts';
import { lifeOf, fold, freezeState } from '../../../src/kernel/fold.ts';
import type { Append } from '../../../src/log/event-store.ts';
import type { Envelope } from '../../../src/log/envelope.ts';
import { markWithState } from '../../../src/log/state-mark.ts';
import type { StoredSnapshot, Log } from '../../../src/log/log.ts';
import { shippedLoops } from '../../../src/loops/index.ts';
import { rebuild } from '../../../src/runtime/load-run.ts';
import { never } from '../../support/stand-ins.ts';
import type { Plan } from './plan.ts';
import { aroundHandlers, appendsAgain, type PlantedBug } from './planting.ts';
import { COMMIT_ORDER } from './simulated-store.ts';
import type { World } from './world.ts';

const keepingReservations = <Machine extends AnyStateMachine>(machine: Machine): Machine =>
  machine.provide({
    actions: { complete: assign((on: never) => ({ pending: life.complete(on).pending })) },
  }) as Machine;

const withDeadline = (drawn: Plan): Plan => ({
  ...drawn,
  options: { ...drawn.options, maxTime: '4s' },
  hasDeafTools: true,
});

export const plantedBugs: Readonly<Record<string, PlantedBug>> = {
  'an effect begins before its cause is appended': {
    found: /began before its cause was durable/,
    seams: {
      aroundHandlers: aroundHandlers((handlers, run, settings) => ({
        observe: (fact, state) => {
          handlers.observe(fact, state);
          if (fact.type !== 'calls.admitted') return;
          const one = state.outstanding.find(({ actor }) => actor === 'runTool');
          const execution = one && handlers.execute(one, { run, settings, state, at: state.at });
          if (execution?.kind !== 'actor') return;
          const { signal } = new AbortController();
          const call = { id: `${run}/${one?.effect}`, attempt: 1, signal, delta: () => {} };
          void all(execution.execute(call));
        },
      })),
    },
  },

  'a stale epoch is accepted': {
    found: /another process has the lease/,
    seams: {
      plan: (drawn) => ({ ...drawn, stopsProcesses: true, jumpsClock: false }),
      aroundLog: (log) => ({
        ...log,
        renew: async (lease) => {
          await log.renew(lease);
          return { kind: 'renewed' };
        },
        append: async (request) => {
          const result = await log.append(request);
          return result.kind === 'fenced' ? log.append({ ...request, epoch: result.epoch }) : result;
        },
      }),
    },
  },

  'a command is acknowledged, and only in memory': {
    found: /^command \d+ was/,
    seams: { commitOrder: ({ kind }) => (kind === 'post' ? [] : COMMIT_ORDER) },
  },

  'a child is settled twice': {
    found: /a child was settled twice/,
    seams: { aroundLog: appendsAgain('child.settled') },
  },

  'a call that may happen once is repeated': {
    found: /was done 2 times/,
    seams: {
      aroundHandlers: aroundHandlers((handlers) => ({
        execute: (effect, context) => {
          const execution = handlers.execute(effect, context);
          return execution.kind === 'actor' ? { ...execution, effectClass: 'repeatable' } : execution;
        },
      })),
    },
  },

  'a reservation is not returned': {
    found: /is set aside for nothing/,
    seams: { loops: shippedLoops.map((loop) => ({ ...loop, machine: keepingReservations(loop.machine) })) },
  },

  'the deadline of an abort is lost': {
    found: /the run does not end/,
    seams: {
      plan: withDeadline,
      aroundHandlers: aroundHandlers((handlers) => ({
        execute: (effect, context) => {
          const { abort, deadlinePassed } = lifeOf(context.state);
          const execution = handlers.execute(effect, context);
          const isLost = effect.actor === 'timer' && (abort !== null || deadlinePassed);
          return isLost && execution.kind === 'actor' ? { ...execution, execute: () => neverAnswering() } : execution;
        },
      })),
    },
  },

  'a stored state is ahead of the log': {
    found: /its stored state is not the fold of its events/,
    seams: { aroundLog: cachingAhead },
  },

  'the head is written before the commit': {
    found: /had another history/,
    seams: { commitOrder: () => ['head', 'write', 'sync'] },
  },

  'a child that the disk has failed is given up': {
    found: /it has not ended/,
    seams: {
      plan: (drawn) => ({ ...drawn, faultChance: 0.05, stopsProcesses: false, jumpsClock: false }),
      aroundLog: (log) => ({
        ...log,
        append: async (request) => {
          const isChild = (await log.run(request.run))?.parentEffect != null;
          try {
            return await log.append(request);
          } catch (error) {
            throw isChild ? new Error(`a bug: ${String(error)}`) : error;
          }
        },
      }),
    },
  },

  'a timer fires twice': {
    found: /a timer fired twice/,
    seams: { plan: withDeadline, aroundLog: appendsAgain('timer.fired') },
  },
};

async function all(events: AsyncIterable<unknown>): Promise<void> {
  for await (const event of events) void event;
}

async function* neverAnswering(): AsyncGenerator<never> {
  yield await never();
}

const caches = new WeakMap<World, Map<string, StoredSnapshot>>();

/** The state after an append is stored before the append, in a cache that believes whatever it has. */
function cachingAhead(log: Log, world: World): Log {
  const cache = caches.get(world) ?? new Map<string, StoredSnapshot>();
  caches.set(world, cache);
  const store = async ({ run, events, expectedVersion }: Append) => {
    const loaded = expectedVersion === 0 ? null : await rebuild(log, run, undefined, shippedLoops);
    if (loaded?.kind !== 'loaded' || loaded.state.version !== expectedVersion) return;
    const state = events.reduce(
      (before, event, index) => fold(before, { ...event, version: expectedVersion + index + 1 } as never),
      loaded.state,
    );
    const { version } = state;
    cache.set(run, { run, version, hash: '', machine: state.entry.id, state: freezeState(state) });
  };
  return {
    ...log,
    append: async (request) => {
      await store(request);
      return log.append(request);
    },
    latestSnapshot: async (run, atMost) => cache.get(run) ?? log.latestSnapshot(run, atMost),
    // Without its digest behind the event of that version, a stored state is not used.
    read: (run, range) => {
      const stored = cache.get(run);
      const isOfIt = stored !== undefined && range?.from === stored.version && range.to === stored.version;
      return isOfIt ? vouching(stored) : log.read(run, range);
    },
  };
}

async function* vouching({ state }: StoredSnapshot): ReturnType<Log['read']> {
  yield { mark: markWithState('ahead/0#', state) } as Envelope;
}
