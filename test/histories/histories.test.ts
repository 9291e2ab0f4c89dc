import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type RunState, fold, freezeState, thawState } from '../../src/kernel/fold.ts';
import { rebuild } from '../../src/runtime/load-run.ts';
import type { Log } from '../../src/log/log.ts';
import { localServices } from '../../src/hosts/local/local-services.ts';
import { localHandlers } from '../../src/hosts/local/local-handlers.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { digestOf } from '../../src/replay/recording.ts';
import { eventsOf, type History } from '../../src/replay/history.ts';
import { Supervisor } from '../../src/runtime/supervisor.ts';
import { history } from '../support/run-history.ts';
import { logOf, readHistory } from './history.ts';
import { productions } from './productions.ts';

const folder = new URL('./', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl')).map(
  (name) => name.slice(0, -'.jsonl'.length),
);
const read = (name: string) => readHistory(new URL(`${name}.jsonl`, folder));

/** The digests of a run's states, version by version, as they were live; a fork has those of its prefix too. */
function recorded(told: History, run: string): string[] {
  return (eventsOf(told, run) ?? []).map(({ state }) => String(state));
}

async function rebuilt(log: Log, run: string, at?: number): Promise<RunState> {
  const result = await rebuild(log, run, at);
  if (result.kind !== 'loaded') throw new Error(JSON.stringify(result));
  return result.state;
}

test('every production has been recorded, and every history has its production', () => {
  expect(names.toSorted()).toEqual(Object.keys(productions).toSorted());
});

test.each(['', 'ralph-'])('the histories that begin with "%s" end in every way a run can end', (prefix) => {
  const some = names.filter((name) => name.startsWith(prefix));
  const endings = some.flatMap((name) => read(name).runs.slice(0, 1).map(({ closed }) => closed));
  expect([...new Set(endings)].toSorted()).toEqual(['abort', 'budget', 'cap_hit', 'doom_loop', 'success']);
});

describe.each(names)('%s', (name) => {
  const told = read(name);
  const runs = told.runs.map(({ run }) => run);

  test('folds at every version to the state it had live', async () => {
    const log = await logOf(told);
    for (const run of runs) {
      const states = recorded(told, run);
      const now: string[] = [];
      for (const version of states.keys()) now.push(digestOf(await rebuilt(log, run, version + 1), told.fields));
      expect(now).toEqual(states);
      expect(states.length).toBeGreaterThan(3);
    }
  });

  test('folds from a stored state at any version to the same states', async () => {
    for (const run of runs) {
      const log = await logOf(told);
      const states = recorded(told, run);
      const facts = await history(log, run);
      for (const [index, fact] of facts.entries()) {
        const stored = freezeState(await rebuilt(log, run, index + 1));
        let state = thawState(JSON.parse(JSON.stringify(stored)));
        if (!state) throw new Error(`${run}/${index + 1} does not thaw`);
        const from = [digestOf(state, told.fields)];
        for (const later of facts.slice(index + 1)) from.push(digestOf((state = fold(state, later)), told.fields));
        expect(from).toEqual(states.slice(index));
        // The log picks up the newest of these: from now on it folds only what comes after.
        const { run: writer, version, hash } = fact;
        await log.saveSnapshot({ run: writer, version, hash, machine: state.entry.id, state: stored });
        expect(await log.latestSnapshot(run)).toMatchObject({ version });
        expect(digestOf(await rebuilt(log, run), told.fields)).toBe(states.at(-1));
      }
    }
  });

  test('was written by machines that know its every event, and is closed as it ended', async () => {
    const log = await logOf(told);
    for (const { run, closed } of told.runs) {
      expect(await log.run(run)).toMatchObject({ closed });
      const state = await rebuilt(log, run);
      expect(state.snapshot.value).toBe(closed);
      for (const { type, payload } of await history(log, run)) expect(
        state.entry.events.safeParse({ type, payload }).success,
      ).toBe(true);
    }
  });
});

test('a run of a machine nobody knows is refused with the reason, and nothing is written', async () => {
  const told = read('turn-success');
  const [first, ...rest] = told.lines;
  if (!first) throw new Error('an empty history');
  const strange = { ...first, payload: { ...(first.payload as object), machine: 'turn@999' } };
  const log = await logOf({
    runs: told.runs.map((run) => ({ ...run, closed: null })),
    lines: [strange, ...rest.slice(0, -1)],
  });
  const refused = { kind: 'unknown_machine', machine: 'turn@999', known: ['turn@1', 'iteration@1', 'ralph@1', 'improvement@1', 'contest@1'] };
  const services = localServices();
  const supervisor = new Supervisor({ log, loops: shippedLoops, makeHandlers: (run, settings, loop) => localHandlers(run, settings, loop, services) });
  expect(await rebuild(log, first.run)).toEqual(refused);
  expect(await supervisor.resume(first.run)).toEqual(refused);
  expect(await history(log, first.run)).toHaveLength(told.lines.length - 1);
  expect(await log.holder(first.run)).toBeNull();
});

test('a version that a run does not have is named together with its head', async () => {
  const told = read('turn-success');
  const log = await logOf(told);
  const run = told.runs[0]?.run ?? '';
  expect(await rebuild(log, run, 1_000)).toEqual({ kind: 'no_such_version', head: told.lines.length });
  expect(await rebuild(log, run, 0)).toMatchObject({ kind: 'no_such_version' });
  expect(await rebuild(log, 'nobody')).toEqual({ kind: 'unknown_run', run: 'nobody' });
});
