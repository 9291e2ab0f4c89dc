import { describe, expect, test } from 'vitest';
import { loop } from '../../docs/examples/own-loop/reviewed.loop.ts';
import type { ReviewedContext } from '../../docs/examples/own-loop/reviewed.machine.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { builtInNames, type OtherJudge } from '../../src/redecide/other-judge.ts';
import { redecideTree } from '../../src/redecide/redecide-tree.ts';
import { checkLog } from '../../src/replay/check-log.ts';
import { type Evidence, anotherRound } from '../../src/kernel/decision.ts';
import { judgeInOrder, proven } from '../../src/judging/judge-in-order.ts';
import type { LoopDefinition } from '../../src/kernel/loop-definition.ts';
import type { OwnJudgement } from '../../src/kernel/loop-judging.ts';
import { createHarness } from '../support/harness.ts';
import { note } from '../support/stand-ins.ts';

/** The example, with a reviewer that approves the third attempt. */
function reviewed(): LoopDefinition {
  let reviews = 0;
  return {
    ...loop,
    judge: (evidence: Evidence<ReviewedContext>) =>
      judgeInOrder(evidence, {
        success: evidence.context.review?.approved ? proven(evidence) : null,
        otherwise: () => anotherRound(evidence, 'not approved yet'),
      }),
    handlers: {
      askReviewer: async () => {
        reviews += 1;
        return { type: 'review.given', payload: { approved: reviews === 3, remark: `remark ${reviews}` } };
      },
    },
  };
}

async function recorded() {
  const definition = reviewed();
  const loops = [...shippedLoops, definition];
  const harness = createHarness({
    loops: [definition],
    tools: [note],
    model: ({ step }) => (step === 0 ? { calls: [{ tool: 'note', arguments: {} }] } : { text: 'Done.' }),
  });
  const { run, outcome } = await harness.play({ loop: 'reviewed', checks: ['npm test'], maxIterations: 4 });
  const judge = (other: OtherJudge, known: readonly LoopDefinition[] = loops) =>
    redecideTree(harness.log, run, other, { ...builtInNames(), loops: known });
  return { ...harness, run, outcome, loops, definition, judge };
}

describe('another judge over a run of a loop of one’s own', () => {
  test('with nothing replaced, its judge says the same, and so do those of its attempts', async () => {
    const { judge, outcome } = await recorded();
    expect(outcome).toMatchObject({ ending: 'success' });
    const tree = await judge({});
    expect(tree).toMatchObject({
      conclusion: 'agrees',
      differsFrom: null,
      redecided: { loop: 'reviewed', hasEnded: true },
    });
    expect(tree.below).toHaveLength(3);
    expect(tree.redecided.redecisions.every(({ isSame }) => isSame)).toBe(true);
    expect(tree.redecided.redecisions.map(({ after }) => after)).toEqual([0, 1, 2, 3]);
  });

  test('another limit ends it earlier: where, and the rounds that it saves', async () => {
    const { judge } = await recorded();
    const tree = await judge({ limits: { maxIterations: 2 } });
    expect(tree).toMatchObject({ conclusion: 'stops_earlier', turn: { after: 2, verdict: 'cap_hit' }, isOpen: false });
    expect(tree.saved).toMatchObject({ iterations: 1, steps: 2 });
  });

  test('caps that its definition hands to its children are judged there, and not in the run', async () => {
    const { judge } = await recorded();
    const { redecided, below } = await judge({ limits: { maxSteps: 1 } });
    expect(redecided.conclusion).toBe('agrees');
    expect(below.map((attempt) => attempt.redecided.turn?.verdict)).toEqual(['cap_hit', 'cap_hit', 'cap_hit']);
  });

  test('an answer of its own is judged again by its definition, under its own kind', async () => {
    const { judge, definition } = await recorded();
    const review: OwnJudgement = {
      kind: 'review',
      again: (before: { readonly approved: boolean }) => ({ ...before, approved: true }),
      verdict: ({ approved }: { readonly approved: boolean }) => (approved ? 'approves' : 'refuses'),
      because: () => 'it is good enough',
      differs: 'in what is approved',
    };
    const kind = { ...definition, judgements: { 'review.given': review } };
    const { redecided } = await judge({}, [...shippedLoops, kind]);
    const reviews = redecided.redecisions.filter((one) => one.kind === 'review');
    expect(reviews.map(({ agrees }) => agrees)).toEqual([false, false, true]);
    expect(redecided.differsFrom).toBe(reviews[0]?.version);
  });

  test('without its definition the run is refused, and the loop that is missing is named', async () => {
    const { judge } = await recorded();
    await expect(judge({}, shippedLoops)).rejects.toThrow(/reviewed@1/);
  });
});

describe('a check of a run of a loop of one’s own', () => {
  const kindsIn = async (checked: AsyncIterable<{ readonly kind: string }>) => {
    const kinds: string[] = [];
    for await (const { kind } of checked) kinds.push(kind);
    return kinds;
  };

  test('goes the same way under its definition, attempts included', async () => {
    const { log, loops } = await recorded();
    expect(await kindsIn(checkLog(log, undefined, loops))).toEqual(['same', 'same', 'same', 'same']);
  });

  test('says without its definition which loop is missing, and checks the others', async () => {
    const { log, run } = await recorded();
    const checked: object[] = [];
    for await (const one of checkLog(log)) checked.push(one);
    expect(checked).toContainEqual(expect.objectContaining({ run, kind: expect.stringMatching(/refused|unreadable/) }));
    expect(JSON.stringify(checked)).toContain('reviewed@1');
    expect(await kindsIn(checkLog(log))).toEqual(expect.arrayContaining(['same', 'same', 'same']));
  });
});
