import { readdirSync } from 'node:fs';
import type { LoopEvent, Recorded } from '../../machines/events.ts';
import { digestOf } from '../../src/replay/recording.ts';
import { eventsOf } from '../../src/replay/history.ts';
import { fold, open, type RunState } from '../../src/kernel/fold.ts';
import { placeOf } from '../../src/kernel/position.ts';
import { refusal } from '../../src/kernel/step.ts';
import type { LoopDefinition } from '../../src/kernel/loop-definition.ts';
import { rankingOf } from '../../src/termination/bound.ts';
import { standstill } from '../../src/termination/standstill.ts';
import { randomRuns } from '../../src/testing/choices.ts';
import { lint } from '../../src/testing/lint/lint.ts';
import { firstViolation } from '../../src/testing/search.ts';
import { randomWalk } from '../../src/testing/random-walk.ts';
import { corpusStories } from '../corpus/stored.ts';
import { readHistory } from '../histories/history.ts';
import { fc } from '../support/fast-check.ts';
import { environmentFor } from '../support/environments.ts';
import { readPins, strayed } from '../testing/pins.ts';

/**
 * What may catch a mutant: says what is wrong with a loop, or null where it sees nothing. What throws has caught it
 * too.
 */
export type Killer = (loop: LoopDefinition) => string | null;

/** Every tenth story of the corpus: each is like those around it. */
const STORIES_ONE_IN = 10;
const SEED = 20_261_122;
const EVENTS_PER_MUTANT = 1_000;
const RUNS_PER_MUTANT = 25;

function offence(loop: LoopDefinition): string | null {
  const [first] = lint(loop);
  return first ? `${first.rule}: ${first.place}` : null;
}

const histories = new URL('../histories/', import.meta.url);
const recorded = readdirSync(histories)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => readHistory(new URL(name, histories)));

/** Recorded runs fold to the digests that were recorded with them. */
function broken(loop: LoopDefinition): string | null {
  for (const history of recorded) {
    for (const { run } of history.runs) {
      const told = eventsOf(history, run) ?? [];
      const state = (index: number): string => String(told[index]?.state);
      const because = replayed(loop, told as unknown as readonly Recorded<LoopEvent>[], (now, index) =>
        digestOf(now, history.fields) === state(index) ? null : `${run}/${index + 1} is in ${placeOf(now.snapshot)}`,
      );
      if (because) return because;
    }
  }
  return null;
}

const stories = corpusStories(STORIES_ONE_IN);

/** Recorded examples are replayed to their final event, and must end as they ended. */
function untold(loop: LoopDefinition): string | null {
  for (const { story, runs } of stories) {
    for (const facts of runs) {
      const ending = facts
        .flatMap(({ type, payload }) => (type === 'decision.made' ? (payload.sink?.ending ?? []) : []))
        .at(-1);
      const isOver = facts.at(-1)?.type === 'strategy.ended';
      const because = replayed(loop, facts, ({ snapshot }, index) => {
        if (!isOver || index + 1 < facts.length || placeOf(snapshot) === ending) return null;
        return `${story} ends in ${placeOf(snapshot)}`;
      });
      if (because) return because;
    }
  }
  return null;
}

function replayed(
  loop: LoopDefinition,
  events: readonly Recorded<LoopEvent>[],
  look: (state: RunState, index: number) => string | null,
): string | null {
  const [started, ...others] = events;
  if (started?.type !== 'run.started') return 'nothing has been started';
  const opened = open(started, [loop]);
  // Told by another loop.
  if (opened.kind !== 'opened') return null;
  let { state } = opened;
  for (const [index, event] of [started, ...others].entries()) {
    if (index > 0) {
      if (refusal(state.snapshot, event))
        return `${event.type}, version ${event.version}, is refused in ${placeOf(state.snapshot)}`;
      state = fold(state, event);
    }
    const because = look(state, index);
    if (because) return because;
  }
  return null;
}

const pinnedWay: Killer = (loop) => strayed(readPins(loop.id), loop);

function violation(loop: LoopDefinition): string | null {
  const found = firstViolation(loop, environmentFor(loop), { seed: SEED, events: EVENTS_PER_MUTANT });
  return found ? `${found.invariant}: ${String(found.error)}` : null;
}

/**
 * What a run can still take falls with whatever comes from the run itself, and input from outside adds nothing to it.
 */
function endless(loop: LoopDefinition): string | null {
  const environment = environmentFor(loop);
  for (const { opening, choices } of fc.sample(randomRuns(environment), { seed: SEED, numRuns: RUNS_PER_MUTANT })) {
    const started = environment.openings[opening];
    if (!started) continue;
    for (const passage of randomWalk(loop, environment, started, choices).happenings) {
      const because = standstill(passage, rankingOf(loop));
      if (because) return because;
    }
  }
  return null;
}

/** Who looks at a mutant, the quickest first. */
export const killers = {
  lint: offence,
  histories: broken,
  corpus: untold,
  paths: pinnedWay,
  termination: endless,
  invariants: violation,
} satisfies Readonly<Record<string, Killer>>;
export type KillerName = keyof typeof killers;
