import { expect, test } from 'vitest';
import { ImprovementEvent } from '../../../machines/events.ts';
import { isOfCandidate } from '../../../machines/improvement-progress.ts';
import { improvement } from '../../../machines/improvement.machine.ts';
import type { LoopDefinition } from '../../../src/kernel/loop-definition.ts';
import { improvementLoop } from '../../../src/loops/improvement/definition.ts';
import { proofsOf } from '../../../src/testing/proofs/proofs-of.ts';
import { environments } from '../../support/environments.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { seed } from '../../support/seed.ts';
import { tenthOfMany } from '../../support/tenth.ts';

/** Of random runs. */
const EVENTS = 50_000;

const isOwn = (event: unknown): boolean => ImprovementEvent.safeParse(event).success;
const environment = { ...environments.improvement, noise: environments.improvement.noise.filter(isOwn) };

const proofs = proofsOf({ ...improvementLoop, events: ImprovementEvent }, environment, {
  seed,
  events: tenthOfMany(EVENTS),
});

testInTurn.each(proofs)('the improvement loop: $name', ({ prove }) => expect(prove).not.toThrow());

/** The proof of a name, of a loop with a bug. */
function proofOf(loop: Partial<LoopDefinition>, name: string) {
  const proofs = proofsOf({ ...improvementLoop, ...loop, events: ImprovementEvent }, environment, { events: 2_000 });
  const found = proofs.find((proof) => proof.name === name);
  if (!found) throw new Error(`no proof of this name: ${name}`);
  return found.prove;
}

test('I16 a chart that integrates what its evaluation refused is caught', () => {
  const guards = { passed: isOfCandidate };
  const machine = improvement.provide({ guards: guards as never }) as unknown as LoopDefinition['machine'];
  expect(proofOf({ machine }, 'nothing is integrated without its verdict')).toThrow(
    /the verdict on \w, which is integrated/,
  );
});

test('I16 a judge that calls verified what no verdict has passed is caught', () => {
  const judge: LoopDefinition['judge'] = (evidence, advice) => {
    const decision = improvementLoop.judge(evidence, advice);
    const verified = { version: 1, workspace: 'tree-2', grade: 'witnessed' as const };
    return decision.sink ? { ...decision, sink: { ending: 'success', verified, partial: false } } : decision;
  };
  const name = 'no success is called verified without its verdict';
  expect(proofOf({ judge }, name)).toThrow(/what a success rests on/);
});

test('I16 the loop as it is keeps both laws', () => {
  expect(proofOf({}, 'nothing is integrated without its verdict')).not.toThrow();
  expect(proofOf({}, 'no success is called verified without its verdict')).not.toThrow();
});
