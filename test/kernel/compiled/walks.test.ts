import { expect } from 'vitest';
import { environment as reviewing } from '../../../docs/examples/own-loop/reviewed.environment.ts';
import { loop as reviewed } from '../../../docs/examples/own-loop/reviewed.loop.ts';
import type { LoopEvent, Recorded } from '../../../machines/events.ts';
import { catalogue, type CatalogueEntry, loopNameOf } from '../../../machines/index.ts';
import { compilationOf } from '../../../src/kernel/compiled/compile.ts';
import { randomRuns } from '../../../src/testing/choices.ts';
import type { ProofEnvironment } from '../../../src/testing/proof-environment.ts';
import { timeAt } from '../../../src/testing/proof-time.ts';
import { type RandomWalk, randomWalk } from '../../../src/testing/random-walk.ts';
import { approvingLoop } from '../../support/approving-loop.ts';
import { askingLoop } from '../../support/asking-loop.ts';
import { environmentFor } from '../../support/environments.ts';
import { fc } from '../../support/fast-check.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { laterVersions, SECOND, THIRD } from '../../support/later-versions.ts';
import { SideBySide } from './side-by-side.ts';

interface Walked {
  readonly machine: CatalogueEntry['machine'];
  /** What the walks are drawn for: a machine that takes the same events. */
  readonly entry: CatalogueEntry;
  readonly environment: ProofEnvironment;
}

const walked = (entry: CatalogueEntry, { machine } = entry): Walked => ({
  machine,
  entry,
  environment: environmentFor(entry),
});
const later = laterVersions(SECOND, THIRD).flatMap(({ id, machine }) => {
  const first = catalogue.find((entry) => id !== entry.id && loopNameOf(id) === loopNameOf(entry.id));
  return first ? [[id, walked(first, { ...first, machine })] as const] : [];
});
const own = [reviewed, askingLoop, approvingLoop].map(
  (entry) => [entry.id, { machine: entry.machine, entry, environment: reviewing as ProofEnvironment }] as const,
);
const machines: readonly (readonly [string, Walked])[] = [
  ...catalogue.map((entry) => [entry.id, walked(entry)] as const),
  ...later,
  ...own,
];

const RUNS_EACH = 12;
/** Every event is tried in one of so many states of a walk. */
const TRIED_EVERY = 5;
const THAWED_EVERY = 11;

/** An event of every type that the walk or its environment has, and some that no machine knows. */
function oneOfEach({ started, happenings, refused, last }: RandomWalk, { noise, remarks }: ProofEnvironment) {
  const all = [...happenings, ...refused].map(({ event }) => event);
  const others = [...noise, ...remarks(last), started].map((event, index) => ({
    ...event,
    at: timeAt(index),
    version: 900 + index,
  }));
  const unknown = ['no.such', 'xstate.error.actor.judge', 'xstate.done.actor.judge', 'xstate.stop', '', '*'];
  const foreign = unknown.map((type) => ({ type, payload: {}, at: timeAt(0), version: 999 }));
  const byType = Map.groupBy([...all, ...others, ...(foreign as never[])], ({ type }: Recorded<LoopEvent>) => type);
  return [...byType.values()].flatMap(([first, ...more]) =>
    [first, ...more.slice(-1)].filter((one) => one !== undefined),
  );
}

testInTurn.each(machines)(
  '%s is compiled, and does in random lives what XState does: same refusals, effects, snapshots and saved bytes',
  (_id, { machine, entry, environment }) => {
    expect(compilationOf(machine)).toMatchObject({ kind: 'compiled' });
    let compared = 0;
    fc.assert(
      fc.property(randomRuns(environment), ({ opening, choices }) => {
        const opened = environment.openings[opening];
        if (!opened) throw new Error(`no opening ${opening}`);
        const named = { ...opened, payload: { ...opened.payload, machine: entry.id } };
        const walk = randomWalk(entry, environment, named, choices);
        const both = new SideBySide(machine, walk.started, oneOfEach(walk, environment));
        for (const [index, { event }] of walk.happenings.entries()) {
          if (index % TRIED_EVERY === 0) both.tryAll();
          if (index % THAWED_EVERY === 0) both.thaw();
          both.take(event);
        }
        both.tryAll();
        expect(both.left).toBe(0);
        compared += both.compared;
      }),
      { numRuns: RUNS_EACH },
    );
    expect(compared).toBeGreaterThan(RUNS_EACH * 30);
  },
);
