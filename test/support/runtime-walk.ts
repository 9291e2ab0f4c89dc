import type { EventOf } from '../../machines/events.ts';
import { localHandlers } from '../../src/hosts/local/local-handlers.ts';
import type { Services } from '../../src/ports/services.ts';
import { localServices } from '../../src/hosts/local/local-services.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { definitionOf } from '../../src/kernel/loop-definition.ts';
import { hasEnded, open, type RunState } from '../../src/kernel/fold.ts';
import { asItIs, type Batch, opening as openingOf, react, type RunScope } from '../../src/kernel/react.ts';
import type { Choice } from '../../src/testing/choices.ts';
import type { Prompt } from '../../src/testing/invariants/nudges.ts';
import { type RandomWalk, movesOf } from '../../src/testing/random-walk.ts';
import type { ProofEnvironment } from '../../src/testing/proof-environment.ts';
import { timeAt } from './given.ts';
import { reread } from './reread.ts';
import { never } from './stand-ins.ts';

export interface RuntimeWalk {
  readonly run: RandomWalk;
  readonly batches: readonly { readonly before: RunState; readonly batch: Batch }[];
  readonly prompts: readonly Prompt[];
}

/**
 * A run that the real runtime serves: judges, admission and endings are its own, decided in the batch that asks for
 * them. Only what models, tools, checks and people say is left to chance, and what each of them is asked is kept.
 */
export async function runtimeWalk(
  environment: ProofEnvironment,
  opening: EventOf<'run.started'>,
  choices: readonly Choice[],
): Promise<RuntimeWalk> {
  const started = { ...opening, at: timeAt(0), version: 1 };
  const opened = open(started);
  if (opened.kind !== 'opened') throw new Error(`no machine ${opened.machine}`);
  const { settings } = opening.payload;
  const prompts: Prompt[] = [];
  let { state } = opened;
  const listens: ReturnType<Services['model']> = {
    effectClass: ({ request: { messages } }) => {
      prompts.push({
        version: state.version,
        text: messages.map((message) => ('text' in message ? message.text : message.output)).join('\n'),
      });
      return 'repeatable';
    },
    async *execute() {
      yield await never();
    },
  };
  const loop = definitionOf(state.entry.id, shippedLoops);
  const handlers = localHandlers('run-1', settings, loop, { ...localServices(), model: () => listens });
  const scope: RunScope = { run: 'run-1', settings, loop, handlers, redact: asItIs };
  const batches: { before: RunState; batch: Batch }[] = [];
  const asked = new Set<string>();

  const follow = async (before: RunState, batch: Batch): Promise<void> => {
    batches.push({ before, batch });
    state = batch.state;
    for (const effect of state.outstanding) {
      if (asked.has(effect.effect) || (effect.actor !== 'streamModel' && effect.key !== 'agent')) continue;
      asked.add(effect.effect);
      const execution = handlers.execute(effect, { run: 'run-1', settings, state, at: state.at });
      if (execution.kind !== 'child') continue;
      const child = await execution.settings({
        id: `run-1/${effect.effect}`,
        attempt: 1,
        signal: AbortSignal.abort(),
        delta: () => {},
      });
      if (child.kind === 'settings') prompts.push({ version: state.version, text: child.settings.prompt });
    }
  };

  const first = openingOf(scope, state, started);
  await follow(state, { ...first, events: first.events.slice(1) });
  let now = 0;
  for (const choice of choices) {
    if (hasEnded(state)) break;
    now += choice.afterMs;
    for (const move of movesOf(environment, state, choice)) {
      const reaction = react(scope, state, move, timeAt(now));
      if (typeof reaction === 'string') continue;
      await follow(state, reaction);
      break;
    }
  }
  const happenings = batches.flatMap(({ before, batch }) => reread(before, batch.events));
  return {
    run: { started, first: opened.state, happenings, refused: [], last: happenings.at(-1)?.after ?? opened.state },
    batches,
    prompts,
  };
}
