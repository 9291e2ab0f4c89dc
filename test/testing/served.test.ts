import { shippedLoops } from '../../src/loops/index.ts';
import { definitionOf } from '../../src/kernel/loop-definition.ts';
import { describe, expect, test } from 'vitest';
import { Ending } from '../../machines/outcome.ts';
import { reached } from '../../src/budget/limit-use.ts';
import { usedBy } from '../../src/judging/affordability.ts';
import { freezeState, hasEnded, lifeOf } from '../../src/kernel/fold.ts';
import { placeOf } from '../../src/kernel/position.ts';
import { randomRuns } from '../../src/testing/choices.ts';
import { invariants } from '../../src/testing/invariants/index.ts';
import { nudgesAreHeard } from '../../src/testing/invariants/nudges.ts';
import { successBeatsCaps } from '../../src/testing/invariants/verdicts.ts';
import type { Happening } from '../../src/testing/random-walk.ts';
import { fc } from '../support/fast-check.ts';
import { seed } from '../support/seed.ts';
import { takesAll, tenthOfMany } from '../support/tenth.ts';
import { runtimeWalk, type RuntimeWalk } from '../support/runtime-walk.ts';
import { ordinarily } from '../support/ordinary-environment.ts';
import { entryOf, environments } from '../support/environments.ts';

const RUNS = tenthOfMany(600);

describe.each(['turn', 'iteration'] as const)('%s: walked through the real runtime at random', (loop) => {
  const environment = ordinarily(environments[loop]);
  const entry = entryOf(loop);

  test('every invariant holds, success beats caps, and a nudge is in the next prompt', async () => {
    const counts = new Map<string, number>();
    const count = (what: string, by = 1) => counts.set(what, (counts.get(what) ?? 0) + by);
    await fc.assert(
      fc.asyncProperty(randomRuns(environment, { thoroughOneIn: 8 }), async ({ opening, choices, thorough }) => {
        const opened = environment.openings[opening];
        if (!opened) throw new Error(`no opening ${opening}`);
        const all = await runtimeWalk(environment, opened, choices);
        const { run, prompts } = all;
        for (const { looks, check } of [...invariants, successBeatsCaps, nudgesAreHeard(() => prompts)]) {
          if (looks === 'always' || thorough) check(run, entry);
        }
        standsAtItsLog(all);
        if (hasEnded(run.last)) count(placeOf(run.last.snapshot));
        count('ended', hasEnded(run.last) ? 1 : 0);
        count('proven at a limit', run.happenings.filter(isProvenAtLimit).length);
        count('nudged', run.happenings.filter(isNudge).length);
      }),
      { numRuns: RUNS, seed },
    );
    const of = (what: string) => counts.get(what) ?? 0;
    // A tenth is too few to tell what is rare.
    if (!takesAll) return;
    const rare = [
      ...Ending.options.filter((ending) => of(ending) < of('ended') * 0.01),
      ...(of('ended') < RUNS * 0.9 ? ['ended'] : []),
      ...(of('proven at a limit') < 10 ? ['proven at a limit'] : []),
      ...(of('nudged') < 50 ? ['nudged'] : []),
    ];
    expect(rare.map((what) => `${what} is rare in ${JSON.stringify(Object.fromEntries(counts))}`)).toEqual([]);
  });
});

/** What a decision to go on starts: a round, or, as the last event of its batch, the checks on the base. */
const STARTED = ['step.started', 'iteration.started', undefined];

/** Batch by batch; and a decision to go on is in one batch with what it starts. */
function standsAtItsLog({ run: { happenings }, batches }: RuntimeWalk): void {
  for (const { batch } of batches) {
    const { version } = batch.state;
    const last = happenings.find(({ event }) => event.version === version);
    if (last) expect(freezeState(last.after)).toEqual(freezeState(batch.state));
    const types = batch.events.map(({ type }) => type);
    for (const [index, { type, payload }] of batch.events.entries()) {
      const goesOn = type === 'decision.made' && Reflect.get(Object(payload), 'action') === 'continue';
      if (goesOn) expect(STARTED).toContain(types[index + 1]);
    }
  }
}

const isNudge = ({ event }: Happening): boolean =>
  event.type === 'decision.made' && event.payload.action === 'continue' && event.payload.feedback !== undefined;

function isProvenAtLimit({ event, before }: Happening): boolean {
  const life = lifeOf(before);
  if (event.type !== 'decision.made' || event.payload.sink?.ending !== 'success' || !event.payload.sink.verified)
    return false;
  return reached(life.limits, usedBy(life, event.at, definitionOf(before.entry.id, shippedLoops).rounds)).some(
    ({ name }) => name === 'steps' || name === 'iterations' || name === 'time_ms',
  );
}
