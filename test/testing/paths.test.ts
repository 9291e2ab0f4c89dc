import { describe, expect, test } from 'vitest';
import { catalogue } from '../../machines/index.ts';
import type { Loop } from '../support/facts.ts';
import { MAX_RETRIES_A_STEP, MAX_WAITS_A_STEP } from '../../machines/turn.machine.ts';
import { isClosed, transitionsOf } from '../../src/charts/transitions.ts';
import { placeOf } from '../../src/kernel/position.ts';
import { after, begun, idsTaken, takes } from '../../src/testing/search-state.ts';
import { type OpenedPath, shortestPaths } from '../../src/testing/paths.ts';
import type { ProofEnvironment } from '../../src/testing/proof-environment.ts';
import * as has from '../support/facts.ts';
import { furtherWays } from './further-paths.ts';
import { pinning } from './pinning.ts';
import { environments } from '../support/environments.ts';

const loops = catalogue.map((loop) => {
  const name = loop.id.split('@')[0] as Loop;
  const environment = environments[name];
  return {
    loop,
    name: loop.id,
    environment,
    ways: shortestPaths(loop, environment),
    further: Object.entries(furtherWays[name]),
  };
});

describe.each(loops)('$name', ({ loop, environment, ways, further }) => {
  const { places, transitions, actors, missing } = ways;
  const closed = new Set(
    transitionsOf(loop.machine)
      .filter(isClosed)
      .map(({ id }) => id),
  );

  test('a way leads to every place, every ending, every transition and every actor', () =>
    expect(missing).toEqual({ places: [], transitions: [], actors: [] }));

  test('there are several ends, and ways to all of them', () => {
    for (const ending of ['success', 'cap_hit', 'doom_loop', 'budget', 'abort']) {
      expect(placeOf(lastOf(places.get(ending)).now.state.snapshot)).toBe(ending);
    }
  });

  test('each way can be walked, and takes its transition with its last event', () => {
    const others = [...transitions].filter(([id, way]) => {
      const { before, event, isTaken } = lastOf(way);
      return !idsTaken(before, event).includes(id) || isTaken === closed.has(id);
    });
    expect(others).toEqual([]);
  });

  test('each actor is started at the end of its way', () => {
    const idle = [...actors].filter(([actor, way]) =>
      lastOf(way).now.state.outstanding.every((one) => one.actor !== actor),
    );
    expect(idle).toEqual([]);
  });

  test('the further ways can be walked', () => {
    for (const [, way] of further) expect(lastOf(way).isTaken).toBe(true);
  });

  test('the paths lead where they led (after a deliberate change: vitest -u, and review the difference)', async () => {
    await expect(pinning(loop, environment, new Map([...transitions, ...further]))).toMatchFileSnapshot(
      `pinned/${loop.id}.json`,
    );
  });

  function lastOf(way: OpenedPath | undefined) {
    const opening = way && environment.openings[way.opening];
    if (!way || !opening) throw new Error('no way');
    const event = way.events.at(-1);
    const before = way.events.slice(0, -1).reduce(
      (moment, one) => {
        expect(takes(moment, one)).toBe(true);
        return after(moment, one);
      },
      begun(loop, opening),
    );
    if (!event) return { before, event: opening, isTaken: true, now: before };
    const isTaken = takes(before, event);
    return { before, event, isTaken, now: isTaken ? after(before, event) : before };
  }
});

const [turnLoop] = loops;

test('a guard that counts is opened by going round, no further than it takes', () => {
  if (!turnLoop) throw new Error('no loop');
  const { transitions } = turnLoop.ways;
  const ways = ['model.limited 1', 'model.retried 1', 'model.replaced 1'].map((last) =>
    transitions.get(`stream.asking ${last}`),
  );
  const toTheStep = 2;
  expect(ways.map((way) => way?.events.length)).toEqual([
    toTheStep + 2 * MAX_WAITS_A_STEP + 1,
    toTheStep + MAX_RETRIES_A_STEP + 1,
    toTheStep + MAX_RETRIES_A_STEP + 1,
  ]);
});

test('what an environment leads to by no way is named', () => {
  if (!turnLoop) throw new Error('no loop');
  const { loop, environment } = turnLoop;
  const answers: ProofEnvironment['answers'] = (effect, state) =>
    effect.actor === 'captureWorkspace' ? [] : environment.answers(effect, state);
  const { missing } = shortestPaths(loop, {
    ...environment,
    answers,
    openings: { only: has.turnStarted({ checks: true }) },
  });
  expect(missing.places).toEqual(['verify.baseline', 'verify.checking', 'verify.disputed']);
  expect(missing.actors).toEqual(['takeBaseline', 'verifyWork', 'askAboutGrounds']);
  expect(missing.transitions.filter((id) => id.startsWith('verify.'))).toEqual([
    'verify.baseline baseline.taken 0',
    'verify.baseline effect.interrupted 0',
    'verify.capturing workspace.captured 0',
    'verify.capturing workspace.failed 0',
    'verify.capturing effect.interrupted 0',
    'verify.checking verification.completed 0',
    'verify.checking verification.completed 1',
    'verify.checking effect.interrupted 0',
    'verify.disputed grounds.approved 0',
    'verify.disputed grounds.denied 0',
    'verify.disputed run.resumed 0',
    'verify.disputed effect.interrupted 0',
  ]);
});
