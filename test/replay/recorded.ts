import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import { vocabularyOf } from '../../machines/vocabulary.ts';
import { turn } from '../../machines/turn.machine.ts';
import { freezeState, hasEnded, type RunState } from '../../src/kernel/fold.ts';
import { placeOf, wholeMarkOf } from '../../src/kernel/position.ts';
import type { Envelope, Json } from '../../src/log/envelope.ts';
import type { Recording, Told } from '../../src/replay/recording.ts';
import { rebuild } from '../../src/runtime/load-run.ts';
import type { RandomWalk } from '../../src/testing/random-walk.ts';
import { all } from '../../src/testing/log-contract/contract.ts';
import { createHarness } from '../support/harness.ts';

/** A recording as a list, so that tests can change it. */
export type Listed = Recording & { readonly events: readonly Told[] };

const RUN = 'run-1';

/** What the log would hold of a run that chance made, with everything that can be said of where it stood. */
export function recorded({ started, first, happenings, last }: RandomWalk): Listed {
  const told = (
    event: RandomWalk['started'] | RandomWalk['happenings'][number]['event'],
    causation: string | null,
    after: RunState,
  ): Told => ({
    ...event,
    schema: vocabularyOf(after.entry.events).get(event.type)?.schema ?? 0,
    run: RUN,
    causation,
    payload: event.payload as unknown as Json,
    // Chance records one event at once.
    mark: wholeMarkOf(after),
  });
  return {
    run: RUN,
    events: [
      told(started, null, first),
      ...happenings.map(({ event, causation, after }) => told(event, causation, after)),
    ],
    snapshots: new Map(
      [first, ...happenings.map(({ after }) => after)].map((state) => [state.version, freezeState(state)]),
    ),
    closed: hasEnded(last) ? placeOf(last.snapshot) : null,
  };
}

/** A turn as its log has it: one answer, nothing asked to be checked. */
export async function answered(): Promise<Listed> {
  const { log, run, facts } = await play();
  const events: readonly Envelope[] = await all(log.read(run));
  const snapshots = new Map<number, Json>();
  for (const { version } of facts) {
    const rebuilt = await rebuild(log, run, version);
    if (rebuilt.kind === 'loaded') snapshots.set(version, freezeState(rebuilt.state));
  }
  return { run: RUN, events: events.map((envelope) => ({ ...envelope, run: RUN })), snapshots, closed: 'success' };
}

async function play() {
  const harness = createHarness({ model: { answers: [{ text: 'done' }] } });
  return { log: harness.log, ...(await harness.play({ loop: 'turn' })) };
}

export const unmarked = (recording: Listed): Listed => ({
  ...recording,
  events: recording.events.map(({ mark: _, ...told }) => told),
  snapshots: new Map(),
});

/** The catalogue with other guards in its turn. */
export const withGuards = (guards: Parameters<typeof turn.provide>[0]['guards'] & {}): readonly CatalogueEntry[] =>
  catalogue.map((entry) =>
    entry.id === 'turn@1' ? { ...entry, machine: turn.provide({ guards }) as CatalogueEntry['machine'] } : entry,
  );
