import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import type { Actor } from '../../src/actors/actor.ts';
import type { ModelInput } from '../../src/actors/model/model-actor.ts';
import { localCast } from '../../src/hosts/local/cast.ts';
import { localTroupe } from '../../src/hosts/local/troupe.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { definitionOf } from '../../src/runtime/loop-definition.ts';
import type { NewEvent } from '../../src/log/envelope.ts';
import { fold, hasEnded, open, type RunState } from '../../src/runtime/fold.ts';
import { asItIs, type Batch, opening as openingOf, react, type Stage } from '../../src/runtime/react.ts';
import type { Choice } from '../../src/testing/choices.ts';
import type { Prompt } from '../../src/testing/invariants/nudges.ts';
import { type Happening, type Wandering, waysOf } from '../../src/testing/wander.ts';
import type { World } from '../../src/testing/world.ts';
import { clock } from './given.ts';
import { never } from './stand-ins.ts';

export interface Served {
  readonly run: Wandering;
  readonly batches: readonly { readonly before: RunState; readonly batch: Batch }[];
  readonly prompts: readonly Prompt[];
}

/** Where those who decide are the real ones, what happens is ordinary most of the time: else every run ends by an error. */
export const ordinarily = (world: World): World => ({
  ...world,
  answers: (effect, state) => {
    const all = world.answers(effect, state);
    const [usual, other = usual] = all;
    return usual === undefined || other === undefined ? all : [...all.flatMap(() => [usual, usual, other]), ...all];
  },
});

/**
 * A run that the real runtime serves: judges, admission and farewells are its own, decided in the batch that asks for them.
 * Only what models, tools, checks and people say is left to chance, and what each of them is asked is kept.
 */
export async function served(world: World, opening: EventOf<'run.started'>, choices: readonly Choice[]): Promise<Served> {
  const started = { ...opening, at: clock(0), version: 1 };
  const opened = open(started);
  if (opened.kind !== 'opened') throw new Error(`no machine ${opened.machine}`);
  const { settings } = opening.payload;
  const prompts: Prompt[] = [];
  let { state } = opened;
  const listens: Actor<ModelInput> = {
    effectClass: ({ request: { messages } }) => {
      prompts.push({ version: state.version, text: messages.map((message) => ('text' in message ? message.text : message.output)).join('\n') });
      return 'repeatable';
    },
    async *perform() {
      yield await never();
    },
  };
  const loop = definitionOf(state.entry.id, shippedLoops);
  const cast = localCast('run-1', settings, loop, { ...localTroupe(), model: () => listens });
  const stage: Stage = { run: 'run-1', settings, loop, cast, redact: asItIs };
  const batches: { before: RunState; batch: Batch }[] = [];
  const asked = new Set<string>();

  const follow = async (before: RunState, batch: Batch): Promise<void> => {
    batches.push({ before, batch });
    state = batch.state;
    for (const effect of state.outstanding) {
      if (asked.has(effect.effect) || (effect.actor !== 'streamModel' && effect.key !== 'agent')) continue;
      asked.add(effect.effect);
      const performance = cast.perform(effect, { run: 'run-1', settings, state, at: state.at });
      if (performance.kind !== 'child') continue;
      const child = await performance.settings({ id: `run-1/${effect.effect}`, attempt: 1, signal: AbortSignal.abort(), delta: () => {} });
      if (child.kind === 'settings') prompts.push({ version: state.version, text: child.settings.prompt });
    }
  };

  const first = openingOf(stage, state, started);
  await follow(state, { ...first, events: first.events.slice(1) });
  let now = 0;
  for (const choice of choices) {
    if (hasEnded(state)) break;
    now += choice.afterMs;
    for (const move of waysOf(world, state, choice)) {
      const reaction = react(stage, state, move, clock(now));
      if (typeof reaction === 'string') continue;
      await follow(state, reaction);
      break;
    }
  }
  const happenings = batches.flatMap(({ before, batch }) => reread(before, batch.events));
  return { run: { started, first: opened.state, happenings, refused: [], last: happenings.at(-1)?.after ?? opened.state }, batches, prompts };
}

/** What the log holds of a batch, folded by somebody who was not there. */
function reread(before: RunState, events: readonly NewEvent[]): Happening[] {
  let state = before;
  return events.map(({ type, payload, at, causation }) => {
    const event = { type, payload, at, version: state.version + 1 } as unknown as Recorded<LoopEvent>;
    const happening = { event, causation, before: state, after: fold(state, event) };
    state = happening.after;
    return happening;
  });
}
