import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogue } from '../../machines/index.ts';
import { unchanged, vocabularyOf } from '../../machines/vocabulary.ts';
import type { Json } from '../../src/log/envelope.ts';
import type { Line } from '../../src/redecide/story.ts';
import type { Actor } from '../../src/actors/actor.ts';
import type { CaptureInput } from '../../src/actors/capture/capture-actor.ts';
import { toolActor } from '../../src/actors/tools/tool-actor.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { tool, verifying } from '../support/stand-ins.ts';
import { isApart } from './apart.ts';
import { InOrder } from './in-order.ts';
import { Random } from './random.ts';
import { type Left, scripted, withFullness } from './scripted.ts';
import type { Family } from './telling.ts';

const START = '2026-03-02T09:00:00.000Z';
/** No detector may cut a story short: the one that every profile has gets a threshold that no story reaches. */
const UNWATCHED = [{ name: 'identical-calls', config: { threshold: 1_000 } }];

/** Which version of the program has recorded it is no part of a story. */
function payloadOf({ payload }: { readonly payload: object }): Json {
  const { program: _, ...told } = payload as { readonly [member: string]: Json };
  return told;
}

/** The number of a schema that the first one cannot stand for. */
function numberOf({ type, schema }: { readonly type: string; readonly schema: number }): [] | [number] {
  const upcasts = vocabularies.flatMap((vocabulary) => vocabulary.get(type)?.upcasts ?? []);
  return upcasts.every((upcast) => upcast === unchanged) ? [] : [schema];
}

const vocabularies = catalogue.map(({ events }) => vocabularyOf(events));

/** Captures what each attempt is told to leave, without a look at any file. */
const leaving = (all: readonly Left[]): Actor<CaptureInput> => ({
  effectClass: () => 'repeatable',
  async *execute({ run, number }) {
    const { tree, changed } = all[Number(number) - 1] ?? all.at(-1) ?? { tree: `tree-${number}`, changed: [] };
    const files = changed.map((path) => ({ path, added: 1, removed: 1 }));
    yield {
      type: 'workspace.captured',
      payload: { hash: tree, ref: `refs/loopfold/${run}/${number}`, changed: files },
    };
  },
});

/** Plays a story through the whole runtime and keeps what its log holds, as a line of a corpus. */
export async function recorded(
  { detector, label, story, traits, options, tell }: Family,
  seed: number,
): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'loopfold-story-')));
  const told = tell(new Random(seed));
  const script = scripted(told);
  const clock = fakeClock(START);
  const pace = new Random(seed + 1_000);
  const wait = () => clock.advance(pace.from(400, 9_000));
  const order = new InOrder();
  const tools = [...new Set(script.tools)].map((name) =>
    tool(name, async (given, { callId }) => {
      await order.turnOf(callId);
      wait();
      return script.resultOf(name, given);
    }),
  );
  const harness = createHarness({
    clock,
    agents: (name) => ({ kind: 'agent', agent: { name, tools: ['delegate'] } }),
    services: {
      // They go by the names of the real ones, and touch nothing.
      tools: () => toolActor(tools),
      capture: leaving(script.trees),
      verify: verifying(({ name }, { workspace }) => script.passes(name, workspace)),
    },
    model: (request) => {
      wait();
      return script.answer(request);
    },
    aroundHandlers: (inner) => (run, settings, loop) =>
      order.watching(withFullness(inner(run, settings, loop), script)),
  });
  const playing = await harness.start({
    ...script.options,
    ...options,
    prompt: told.prompt,
    directory,
    detectors: UNWATCHED,
    maxToolCalls: 'none',
    tools: [...new Set([...script.tools, 'finish'])],
  });
  await ended(playing);
  const records = (await harness.log.runs()).map(({ run }) => run);
  const facts = (await Promise.all(records.map((run) => history(harness.log, run))))
    .flat()
    .toSorted((one, other) => one.position - other.position);
  const line: Line = {
    detector,
    label,
    story,
    seed,
    ...(isApart(detector, story, seed) ? { apart: true as const } : {}),
    ...(traits ? { traits: traits as NonNullable<Line['traits']> } : {}),
    startedAt: START,
    runs: records.map((_, index) => `run-${index + 1}`),
    facts: facts.map(
      (fact) =>
        [
          records.indexOf(fact.run),
          Date.parse(fact.at) - Date.parse(START),
          fact.type,
          payloadOf(fact),
          ...numberOf(fact),
        ] as never,
    ),
  };
  await rm(directory, { recursive: true });
  const text = records.reduce((told, run, index) => told.replaceAll(run, `run-${index + 1}`), JSON.stringify(line));
  return text.replaceAll(directory, '/workspace');
}
