import { describe, expect, test } from 'vitest';
import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import { fold, open, refusalOf, type RunState } from '../../src/kernel/fold.ts';
import type { Envelope } from '../../src/log/envelope.ts';
import { startOf } from '../../src/runtime/intact.ts';
import { positionOf } from '../../src/kernel/position.ts';
import { factOf } from '../../src/projections/read-summary.ts';
import { replay } from '../../src/replay/replay-run.ts';
import { randomRuns } from '../../src/testing/choices.ts';
import { randomWalk } from '../../src/testing/random-walk.ts';
import { fc } from '../support/fast-check.ts';
import { environments } from '../support/environments.ts';
import { testInTurn } from '../support/in-turn.ts';
import { tenthOfMany } from '../support/tenth.ts';
import { answered, type Listed, recorded, unmarked, withGuards } from './recorded.ts';

const loops = ['turn', 'iteration'] as const;

/** Recordings of runs as chance would have them. */
function runs(loop: (typeof loops)[number]): fc.Arbitrary<Listed> {
  const entry = catalogue.find(({ id }) => id === `${loop}@1`);
  if (!entry) throw new Error(`no ${loop}@1`);
  return randomRuns(environments[loop]).map(({ opening, choices }) => {
    const first = environments[loop].openings[opening];
    if (!first) throw new Error(`no opening ${opening}`);
    return recorded(randomWalk(entry, environments[loop], first, choices));
  });
}

const never = (): never => {
  throw new Error('no such run');
};

const versionOf = ({ events }: Listed, type: string): number =>
  events.find((told) => told.type === type)?.version ?? never();
const at = ({ events }: Listed, version: number) => {
  const told = events[version - 1] ?? never();
  return { ...told, position: told.mark?.split('#')[0] };
};

describe('same', () => {
  testInTurn.each(loops)('%s: every run goes the way it went, with all that is known of it and without', (loop) =>
    fc.assert(
      fc.asyncProperty(runs(loop), async (recording) => {
        const events = recording.events.length;
        const same = { kind: 'same', run: 'run-1', events };
        expect(await replay(recording)).toEqual({ ...same, compared: events, remembered: events });
        expect(await replay(unmarked(recording))).toEqual({ ...same, compared: 0, remembered: 0 });
      }),
      { numRuns: tenthOfMany(200) },
    ),
  );
});

describe('differs', () => {
  const edited = withGuards({ hasChecks: ({ context }) => !context.hasChecks });

  testInTurn('at the first version where an edited machine stands elsewhere, or takes no such event', () =>
    fc.assert(
      fc.asyncProperty(runs('turn'), async (recording) => {
        const found = await replay(recording, edited);
        const expected = firstParting(recording, edited);
        expect(found.kind === 'differs' ? found.difference.version : null).toBe(expected);
      }),
      { numRuns: tenthOfMany(500) },
    ),
  );

  test('it names both states, the transition, what was passed over on the way, and what comes next', async () => {
    const recording = await answered();
    const version = versionOf(recording, 'model.completed');
    expect(await replay(recording, edited)).toEqual({
      kind: 'differs',
      run: 'run-1',
      difference: {
        sign: 'state',
        writtenBy: 'run-1',
        version,
        event: 'model.completed',
        recorded: at(recording, version).position,
        before: at(recording, version - 1).position,
        today: expect.stringMatching(/^verify\.capturing\//),
        taken: [{ id: 'stream.asking model.completed 2', guard: 'hasChecks', to: ['verify'] }],
        passedOver: [
          { id: 'stream.asking model.completed 0', guard: 'asksForTools', to: ['tools'] },
          { id: 'stream.asking model.completed 1', guard: 'isCut', to: ['decide'] },
        ],
        details: [],
        next: { version: version + 1, event: 'decision.made', isTaken: false, takenIn: ['decide.judging'] },
      },
    });
  });

  test('a difference without a recorded position is reported at the next event', async () => {
    const recording = await answered();
    const version = versionOf(recording, 'model.completed') + 1;
    const found = await replay(unmarked(recording), edited);
    expect(found).toMatchObject({
      difference: { version, recorded: null, event: 'decision.made', next: { version: version + 1 } },
    });
    expect(found).toMatchObject({
      difference: { sign: 'refusal', today: expect.stringMatching(/^verify\.capturing\//), taken: [] },
    });
  });

  test('a result without a pending effect, although the state accepts such an event', async () => {
    const recording = await answered();
    const version = versionOf(recording, 'model.completed');
    const events = recording.events.map((told) => (told.version === version ? { ...told, causation: '2/7' } : told));
    const found = await replay({ ...recording, events });
    expect(found).toMatchObject({
      difference: { sign: 'unowed', version, details: [expect.stringMatching(/effect 2\/7; owed here: .*2\/0/)] },
    });
  });

  test('an event that today’s machine does not take', async () => {
    const recording = await answered();
    const found = await replay(recording, withGuards({ isNextStep: () => false }));
    const version = versionOf(recording, 'step.started');
    expect(found).toMatchObject({
      difference: { sign: 'refusal', version, taken: [], recorded: at(recording, version).position },
    });
    expect(found).toMatchObject({ difference: { passedOver: [{ id: 'stream step.started 0', guard: 'isNextStep' }] } });
  });

  test('a guard that throws, without an effect on the next run', async () => {
    const recording = await answered();
    const broken = withGuards({ isNextStep: () => never() });
    const found = await replay(recording, broken);
    expect(found).toMatchObject({ difference: { sign: 'failure', details: [expect.stringContaining('no such run')] } });
    expect(await replay(recording)).toMatchObject({ kind: 'same' });
  });

  test('another ending than it was closed with, and one where it is still open', async () => {
    const recording = await answered();
    const last = recording.events.length;
    const closed = await replay({ ...recording, closed: 'cap_hit' });
    expect(closed).toMatchObject({
      difference: { sign: 'ending', version: last, recorded: 'cap_hit', today: 'success/0' },
    });
    const open = await replay({ ...recording, closed: null });
    expect(open).toMatchObject({ difference: { sign: 'ending', recorded: 'still open', next: null } });
    const { closed: _, ...unsaid } = recording;
    expect(await replay(unsaid)).toMatchObject({ kind: 'same' });
  });

  test('another memory in the same place, where a stored state tells it', async () => {
    const recording = await answered();
    const version = versionOf(recording, 'model.completed');
    const stored = structuredClone(recording.snapshots?.get(version)) as unknown as {
      snapshot: { context: Record<string, unknown> };
    };
    stored.snapshot.context['answer'] = null;
    stored.snapshot.context['unheardOf'] = 1;
    delete stored.snapshot.context['spend'];
    const found = await replay({ ...recording, snapshots: new Map([[version, stored as never]]) });
    expect(found).toMatchObject({
      difference: { sign: 'memory', version, details: ['context.answer'], recorded: at(recording, version).position },
    });
  });

  test('another place, where only a stored state tells it', async () => {
    const recording = await answered();
    const version = versionOf(recording, 'model.completed');
    const snapshots = new Map([...(recording.snapshots ?? [])].filter(([stored]) => stored === version));
    const found = await replay({ ...unmarked(recording), snapshots }, edited);
    expect(found).toMatchObject({ difference: { sign: 'state', version, recorded: at(recording, version).position } });
  });

  test('a digest: of another memory where the mark is the same, of some other state where there is none', async () => {
    const recording = await answered();
    const events = recording.events.map((told) => (told.version === 3 ? { ...told, state: '0123456789abcdef' } : told));
    const fields = { 'turn@1': ['spend'] };
    const marked = await replay({ ...recording, events, fields });
    expect(marked).toMatchObject({
      difference: { sign: 'memory', version: 3, details: [expect.stringContaining('0123456789abcdef')] },
    });
    const without = await replay({ ...unmarked({ ...recording, events }), fields });
    expect(without).toMatchObject({ difference: { sign: 'digest', version: 3, recorded: null } });
  });
});

describe('refused', () => {
  test('a machine that is not known, when it began or when it was migrated', async () => {
    const recording = await answered();
    const known = ['iteration@1'];
    expect(
      await replay(
        recording,
        catalogue.filter(({ id }) => id === 'iteration@1'),
      ),
    ).toEqual({ kind: 'refused', run: 'run-1', machine: 'turn@1', known });
    const version = 2;
    const moved = {
      run: 'run-1',
      version,
      type: 'run.migrated',
      schema: 1,
      payload: { from: 'turn@1', to: 'turn@9' },
      at: at(recording, 1).at,
      causation: null,
    };
    expect(await replay({ ...recording, events: [at(recording, 1), moved] })).toMatchObject({
      kind: 'refused',
      machine: 'turn@9',
      known: ['turn@1', 'iteration@1', 'ralph@1', 'improvement@1', 'contest@1'],
    });
  });
});

describe('damaged', () => {
  test('versions that are gone or come twice, another beginning, nothing at all', async () => {
    const recording = await answered();
    const of = (events: Listed['events']) => replay({ ...recording, events });
    const damaged = { kind: 'damaged', run: 'run-1' };
    expect(await of(recording.events.toSpliced(2, 1))).toEqual({
      ...damaged,
      version: 3,
      reason: 'version 4 follows version 2',
    });
    expect(await of(recording.events.toSpliced(2, 0, at(recording, 2)))).toMatchObject({ ...damaged, version: 3 });
    expect(await of([{ ...at(recording, 2), version: 1 }])).toMatchObject({
      ...damaged,
      version: 1,
      reason: expect.stringContaining('decision.made'),
    });
    expect(await of([])).toEqual({ ...damaged, version: 1, reason: 'it has no events' });
  });
});

/** The same question, asked by folding with both machines side by side. */
function firstParting({ events }: Listed, machines: readonly CatalogueEntry[]): number | null {
  const [first, ...rest] = events;
  const opened = open(startOf('run-1', factOf((first ?? never()) as Envelope)), machines);
  if (opened.kind !== 'opened') return never();
  let { state }: { state: RunState } = opened;
  for (const told of rest) {
    const event = factOf(told as Envelope);
    if (told.causation?.includes('/') && !state.outstanding.some(({ effect }) => effect === told.causation))
      return told.version;
    if (refusalOf(state, event)) return told.version;
    state = fold(state, event);
    if (positionOf(state) !== told.mark?.split('#')[0]) return told.version;
  }
  return null;
}
