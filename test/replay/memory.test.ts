import { describe, expect, test } from 'vitest';
import type { AnyStateMachine } from 'xstate';
import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import { replay } from '../../src/replay/replay-run.ts';
import type { Told } from '../../src/replay/recording.ts';
import { type RandomRun, randomRuns } from '../../src/testing/choices.ts';
import { randomWalk } from '../../src/testing/random-walk.ts';
import { environments } from '../support/environments.ts';
import { testInTurn } from '../support/in-turn.ts';
import { tenthOfMany } from '../support/tenth.ts';
import { fc } from '../support/fast-check.ts';
import { answered, type Listed, recorded } from './recorded.ts';

/** As the log alone has a run: no stored states. */
const withoutSnapshots = ({ snapshots: _, ...recording }: Listed): Listed => recording;
const memoryIn = ({ mark }: Told): string | undefined => mark?.split('#')[1];
const WALKS = 500;
const SEED = 1;

/** One is there to do nothing; the other only frees what XState keeps of a call that is over. */
const UNSEEN: Readonly<Record<string, readonly string[]>> = {
  turn: ['dismissCall', 'noteFact'],
  iteration: ['noteFact'],
};

const entryOf = (loop: string): CatalogueEntry => {
  const entry = catalogue.find(({ id }) => id === `${loop}@1`);
  if (!entry) throw new Error(`no ${loop}@1`);
  return entry;
};

/** The catalogue with one action of a machine doing nothing. */
const without = (loop: string, action: string): readonly CatalogueEntry[] =>
  catalogue.map((entry) =>
    entry.id === `${loop}@1`
      ? { ...entry, machine: entry.machine.provide({ actions: { [action]: () => {} } } as never) as AnyStateMachine }
      : entry,
  );

/** A run as chance would have it, as the log alone has it. */
function walked(entry: CatalogueEntry, loop: 'turn' | 'iteration', drawn: RandomRun | undefined): Listed {
  const first = drawn && environments[loop].openings[drawn.opening];
  if (!drawn || !first) throw new Error(`no opening ${drawn?.opening}`);
  return withoutSnapshots(recorded(randomWalk(entry, environments[loop], first, drawn.choices)));
}

describe('what a machine remembers is recorded with its decisions', () => {
  testInTurn.each(['turn', 'iteration'] as const)(
    '%s: each action that is left out shows in some run',
    async (loop) => {
      const entry = entryOf(loop);
      const drawn = fc.sample(randomRuns(environments[loop]), { numRuns: WALKS, seed: SEED });
      const walks: Listed[] = [];
      const walk = (index: number): Listed => (walks[index] ??= walked(entry, loop, drawn[index]));
      const unseen: string[] = [];
      for (const action of Object.keys(entry.machine.implementations.actions ?? {})) {
        const machines = without(loop, action);
        let isSeen = false;
        // Those that show in no run are not looked for in all.
        const most = UNSEEN[loop]?.includes(action) ? tenthOfMany(WALKS) : WALKS;
        for (let index = 0; index < most && !isSeen; index += 1)
          isSeen = (await replay(walk(index), machines)).kind === 'differs';
        if (!isSeen) unseen.push(action);
      }
      expect(unseen.toSorted()).toEqual(UNSEEN[loop]);
    },
  );

  test('the difference names the member, at the first decision after it', async () => {
    const recording = withoutSnapshots(await answered());
    const counted = recording.events.findIndex(({ type }) => type === 'model.completed');
    const version = recording.events.slice(counted).find(memoryIn)?.version;
    expect(await replay(recording, without('turn', 'countUsage'))).toMatchObject({
      kind: 'differs',
      difference: { sign: 'memory', version, details: ['context.spend'] },
    });
  });

  test('a log of an earlier version has none: that is said, and nothing is compared', async () => {
    const recording = withoutSnapshots(await answered());
    const events = recording.events.map((told) => ({ ...told, mark: told.mark?.split('#')[0] ?? null }));
    expect(recording.events.filter(memoryIn).map(({ type }) => type)).toContain('decision.made');
    expect(await replay({ ...recording, events }, without('turn', 'countUsage'))).toMatchObject({
      kind: 'same',
      remembered: 0,
    });
  });

  test('a member that was added since changes nothing of what was recorded of the others', async () => {
    const recording = withoutSnapshots(await answered());
    const events = recording.events.map((told) => {
      const pieces = memoryIn(told)?.match(/.{6}/g);
      return pieces ? { ...told, mark: `${told.mark?.split('#')[0]}#${pieces.slice(0, -1).join('')}` } : told;
    });
    expect(await replay({ ...recording, events })).toMatchObject({ kind: 'same' });
  });
});
