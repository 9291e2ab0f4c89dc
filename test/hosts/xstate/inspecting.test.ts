import { type AnyActorRef, createActor, createMachine, type InspectionEvent, toPromise } from 'xstate';
import { describe, expect, test } from 'vitest';
import { catalogue, loopNameOf } from '../../../machines/index.ts';
import { nodesOf, pathOf } from '../../../src/charts/transitions.ts';
import { loopLogic, type LoopSnapshot } from '../../../src/hosts/xstate/index.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { answering, task } from './deployment.ts';

/** What `@statelyai/inspect` 0.7 reads of an actor that begins, and how it writes it. */
const definitionOf = (actor: AnyActorRef): string => {
  const { config } = (actor as unknown as { logic: { config?: unknown } }).logic;
  return typeof config === 'object'
    ? JSON.stringify(config, (_key, value) => (typeof value === 'function' ? { type: value.name } : value))
    : JSON.stringify({ id: actor.id });
};

const inspected = async () => {
  const seen: InspectionEvent[] = [];
  const logic = loopLogic({ log: memoryLog(), model: answering('done') });
  const actor = createActor(logic, { input: task, inspect: (event) => seen.push(event) });
  actor.start();
  await toPromise(actor);
  const [begun] = seen.flatMap((event) => (event.type === '@xstate.actor' ? [event.actorRef as AnyActorRef] : []));
  if (!begun) throw new Error('expected an actor to be inspected');
  const chart = createMachine(JSON.parse(definitionOf(begun)));
  const snapshots = seen.flatMap((event) =>
    event.type === '@xstate.snapshot' ? [JSON.parse(JSON.stringify(event.snapshot)) as LoopSnapshot] : [],
  );
  return { chart, snapshots };
};

describe('the inspector is shown', () => {
  test.each(catalogue)('the whole chart of $id: every state, its transitions and their targets', async (entry) => {
    const { chart } = await inspected();
    const loop = loopNameOf(entry.id);
    const shown = chart.root.states[loop];
    expect(shown && nodesOf(shown).map(({ path }) => path.slice(1).join('.'))).toEqual(
      nodesOf(entry.machine.root).map(pathOf),
    );
    for (const [index, node] of nodesOf(entry.machine.root).entries()) {
      const targets = (of: typeof node, from: number) =>
        [...of.transitions].map(([event, candidates]) => [
          event,
          candidates.map(({ target }) => target?.map(({ path }) => path.slice(from))),
        ]);
      const twin = shown && nodesOf(shown)[index];
      expect(twin && targets(twin, 1)).toEqual(targets(node, 0));
    }
  });

  test('each state that a run comes to, on that chart', async () => {
    const { chart, snapshots } = await inspected();
    const places = snapshots.flatMap(({ value }) =>
      value === undefined ? [] : [JSON.stringify(chart.resolveState({ value, context: {} }).value)],
    );
    expect([...new Set(places)]).toEqual([
      '{"turn":{"decide":"judging"}}',
      '{"turn":{"stream":"asking"}}',
      '{"turn":{"decide":{"ending":"summarising"}}}',
      '{"turn":{"decide":{"ending":"farewell"}}}',
      '{"turn":"success"}',
    ]);
  });
});
