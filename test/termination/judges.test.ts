import { describe, expect, test } from 'vitest';
import type { EventOf, LoopEvent } from '../../machines/events.ts';
import { catalogue } from '../../machines/index.ts';
import type { Limits, RunSettings } from '../../machines/settings.ts';
import { MAX_CALLS_A_STEP } from '../../machines/turn.machine.ts';
import { MAX_CALLS_PER_ANSWER } from '../../src/actors/model/model-answer.ts';
import type { Detector } from '../../src/detectors/detector.ts';
import { admitted } from '../../src/loops/turn/admission.ts';
import type { Fact } from '../../src/kernel/effect-handlers.ts';
import { fold, open, type RunState } from '../../src/kernel/fold.ts';
import { JudgeMemory } from '../../src/judging/judge-memory.ts';
import { evidenceIn, judged } from '../../src/judging/judgement.ts';
import { refusal } from '../../src/kernel/step.ts';
import { FixedStrategy } from '../../src/strategies/fixed-strategy.ts';
import { randomWalk } from '../../src/testing/random-walk.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { definitionOf } from '../../src/kernel/loop-definition.ts';
import { corpusStories } from '../corpus/stored.ts';
import * as has from '../support/facts.ts';
import { fc } from '../support/fast-check.ts';
import { noticing } from '../support/noticing.ts';
import { entryOf, environments } from '../support/environments.ts';
import { tenthOfMany } from '../support/tenth.ts';
import { choices } from './chance.ts';

type Answer = Extract<LoopEvent, { type: 'decision.made' | 'calls.admitted' }>;

/** What the real judges, and the real admission, would answer in every state of a run in which they are asked. */
function answersOver(
  facts: readonly Fact[],
  detectors: readonly Detector[] = [],
): { state: RunState; answer: Answer }[] {
  const [first, ...later] = facts;
  if (first?.type !== 'run.started') throw new Error('a run starts');
  const result = open(first);
  if (result.kind !== 'opened') throw new Error(`no machine ${result.machine}`);
  const { settings } = first.payload;
  const memory = new JudgeMemory(
    first.run,
    settings,
    () => detectors,
    definitionOf(result.state.entry.id, shippedLoops),
  );
  memory.observe(first);
  let { state } = result;
  const answers = answersIn(state, settings, memory);
  for (const fact of later) {
    state = fold(state, fact);
    memory.observe(fact);
    answers.push(...answersIn(state, settings, memory));
  }
  return answers;
}

function answersIn(state: RunState, settings: RunSettings, memory: JudgeMemory): { state: RunState; answer: Answer }[] {
  const context = { run: 'run', settings, state, at: state.at };
  if (state.snapshot.matches('tools.admitting')) {
    const payload = admitted(context, memory, () => 'runTool');
    return [{ state, answer: { type: 'calls.admitted', payload } }];
  }
  if (!state.snapshot.matches('decide.judging')) return [];
  const decisions = [judged(context, memory, new FixedStrategy(3)), ...insisting(context, memory)];
  return decisions.flatMap((payload) =>
    payload ? [{ state, answer: { type: 'decision.made' as const, payload } }] : [],
  );
}

/** Strategies that go on, whatever they are told, and one that always stops. */
function insisting(context: Parameters<typeof judged>[0], memory: JudgeMemory): EventOf<'decision.made'>['payload'][] {
  if (context.settings.loop === 'turn') return [];
  const evidence = evidenceIn(context, memory);
  const advised = (goesOn: boolean) =>
    memory.loop.judge(evidence, { strategy: 'own', decision: { continue: goesOn, reason: 'because' } });
  return [advised(true), advised(false)];
}

const refused = (answers: ReturnType<typeof answersOver>): string[] =>
  answers
    .filter(
      ({ state, answer }) => refusal(state.snapshot, { ...answer, at: state.at, version: state.version + 1 }) !== null,
    )
    .map(({ state, answer }) => `${answer.type} at version ${state.version}: ${JSON.stringify(answer.payload)}`);

const few = (most: number) => fc.option(fc.nat(most), { nil: null });
const limits: fc.Arbitrary<Limits> = fc.record({
  maxSteps: few(4),
  maxToolCalls: few(6),
  maxTokens: few(200),
  maxIterations: few(4),
  maxTimeMs: few(90_000),
});

const RUNS = tenthOfMany(500);

describe('judges never say what the machine refuses', () => {
  test.each(['turn', 'iteration', 'ralph'] as const)('whatever happens to a %s, under whatever limits', (loop) => {
    let seen = 0;
    fc.assert(
      fc.property(limits, fc.boolean(), choices, fc.boolean(), (given, checks, chosen, isWatched) => {
        const { started, happenings } = randomWalk(
          entryOf(loop),
          environments[loop],
          has.started(loop, { limits: given, checks }),
          chosen,
        );
        const facts = [started, ...happenings.map(({ event }) => event)].map(
          (event) => ({ ...event, run: 'run' }) as Fact,
        );
        const answers = answersOver(facts, isWatched ? [noticing('model.completed', 'nudge')] : []);
        seen += answers.length;
        expect(refused(answers)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
    expect(seen).toBeGreaterThan(3 * RUNS);
  });

  test('over the facts of every fourth story of the corpus', () => {
    const stories = corpusStories(4);
    const runs = stories
      .flatMap((story) => story.runs)
      .filter(([first]) => first?.type === 'run.started' && first.payload.machine in known);
    const answers = runs.map((facts) => answersOver(facts));
    expect(answers.flatMap(refused)).toEqual([]);
    expect(runs.length).toBeGreaterThan(80);
  });
});

const known: Readonly<Record<string, true>> = Object.fromEntries(catalogue.map(({ id }) => [id, true]));

test('however many calls an answer has, no more are admitted than the machine accepts', () => {
  expect(MAX_CALLS_PER_ANSWER).toBeGreaterThan(MAX_CALLS_A_STEP);
  fc.assert(
    fc.property(fc.nat(MAX_CALLS_A_STEP + 50), few(200), (calls, maxToolCalls) => {
      const ids = Array.from({ length: calls }, (_, index) => `0.${index}`);
      const story = [
        has.turnStarted({ limits: { maxToolCalls } }),
        has.decidedToGoOn,
        has.stepStarted(0),
        has.modelAskedFor(...ids),
      ];
      const facts = story.map(
        (event, index) => ({ ...event, run: 'run', version: index + 1, at: '2026-03-01T12:00:00.000Z' }) as Fact,
      );
      expect(refused(answersOver(facts))).toEqual([]);
    }),
    { examples: [[MAX_CALLS_A_STEP + 1, null]] },
  );
});
