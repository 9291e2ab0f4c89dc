import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LoopEvent, Recorded } from '../../machines/events.ts';
import type { NewEvent } from '../../src/log/envelope.ts';
import type { Cast } from '../../src/runtime/cast.ts';
import { fold, freezeState, hasEnded, lifeOf, open, type Outstanding, type RunState } from '../../src/runtime/fold.ts';
import { asItIs, type Batch, opening, react, type Stage } from '../../src/runtime/react.ts';
import { refusal } from '../../src/runtime/step.ts';
import { answersTo } from '../support/answers.ts';
import { settingsOf, started } from '../support/facts.ts';
import { clock } from '../support/given.ts';

const loops = ['turn', 'iteration'] as const;
const choices = fc.array(fc.nat({ max: 1000 }), { minLength: 20, maxLength: 60, size: 'max' });
const pure = ['judge', 'admitCalls', 'endStrategy'];

/** Room enough for chance to go on. */
const beginning = { limits: { maxIterations: 60 } };

type Batched = (before: RunState, batch: Batch) => void;

/** A run that is served: pure effects are decided in the batch that asks for them, chance answers for the others. */
function live(loop: (typeof loops)[number], choices: readonly number[], batched: Batched): void {
  const turns = choices.values();
  const answer = (effect: Outstanding, state: RunState): LoopEvent => {
    const lawful = (event: LoopEvent) => refusal(state.snapshot, { ...event, at: state.at, version: state.version + 1 }) === null;
    const possible = answersTo(effect, Math.max(0, lifeOf(state).spend.steps - 1));
    const answers = pure.includes(effect.actor) ? possible.filter(lawful) : possible;
    return answers[(turns.next().value ?? 0) % answers.length] as LoopEvent;
  };
  const cast: Cast = {
    observe: () => {},
    decide: (effect, { state }) => (pure.includes(effect.actor) ? answer(effect, state) : null),
    perform: () => {
      throw new Error('folding performs nothing');
    },
    answer: () => '',
    steering: () => [],
  };
  const stage: Stage = { run: 'run-1', settings: settingsOf(loop, beginning), cast, redact: asItIs };
  const begun = { ...started(loop, beginning), at: clock(0), version: 1 };
  const opened = open(begun);
  if (opened.kind !== 'opened') throw new Error(`no machine ${opened.machine}`);
  let batch = opening(stage, opened.state, begun);
  batched(opened.state, { ...batch, events: batch.events.slice(1) });
  for (const choice of choices) {
    const before = batch.state;
    const answerer = before.outstanding.filter(({ key }) => key !== 'deadline')[choice % 2] ?? before.outstanding[0];
    if (hasEnded(before) || !answerer) return;
    const letter = { event: answer(answerer, before), causation: answerer.effect };
    const reaction = react(stage, before, letter, clock(before.version * 1000));
    if (typeof reaction === 'string') continue;
    batch = reaction;
    batched(before, batch);
  }
}

const reread = (now: RunState, event: NewEvent): RunState =>
  fold(now, { ...event, version: now.version + 1 } as unknown as Recorded<LoopEvent>);

test.each(loops)('%s: what a served run stands at is what its log folds to, batch by batch', (loop) => {
  let batches = 0;
  fc.assert(
    fc.property(choices, (choices) =>
      live(loop, choices, (before, { state, events }) => {
        batches += 1;
        const folded = events.reduce(reread, before);
        expect(folded.version).toBe(before.version + events.length);
        expect(freezeState(folded)).toEqual(freezeState(state));
      }),
    ),
    { numRuns: 60 },
  );
  expect(batches).toBeGreaterThan(600);
});

test.each(loops)('%s: a decision to go on and what it starts are one batch', (loop) =>
  live(loop, Array.from({ length: 40 }, () => 0), (_before, { events }) => {
    const types = events.map(({ type }) => type);
    const decided = types.indexOf('decision.made');
    const goesOn = (events[decided]?.payload as { action?: string } | undefined)?.action === 'continue';
    if (goesOn) expect(types[decided + 1]).toBe(loop === 'turn' ? 'step.started' : 'iteration.started');
  }));
