import { expect, test } from 'vitest';
import type { Fact } from '../../src/kernel/effect-handlers.ts';
import { WatchedRuns } from '../../src/cli/live/watch-runs.ts';
import type { LoopDefinition } from '../../src/kernel/loop-definition.ts';
import type { Narration } from '../../src/kernel/narration.ts';
import { laterVersions, SECOND } from '../support/later-versions.ts';
import * as has from '../support/facts.ts';

const words = ({ rest }: { readonly rest: readonly unknown[] | null }) => rest?.join('');
const fact = (version: number, event: Pick<Fact, 'type' | 'payload'>) =>
  ({ ...event, run: 'run', version, at: '2030-01-01T00:00:00.000Z' }) as Fact;

test('once a run is migrated, its later version tells of it, and is given what the earlier one has told', () => {
  const [first, second] = laterVersions(SECOND);
  if (!first || !second) throw new Error('two versions');
  const telling = (earlier?: Narration): Narration => ({
    tell: () => ({ lines: [{ rest: [earlier ? 'version 2, after another' : 'version 2'] }] }),
  });
  const later: LoopDefinition = { ...second, describe: { ...second.describe, narration: telling } };
  const runs = new WatchedRuns([first, later]);
  runs.observe(fact(1, has.turnStarted()));
  runs.observe(fact(2, { type: 'run.migrated', payload: { from: 'turn@1', to: 'turn@2' } }));

  const { told, loop } = runs.observe(fact(3, has.modelAnswered));

  expect(loop?.id).toBe('turn@2');
  expect(told?.lines?.map(words)).toEqual(['version 2, after another']);
});
