import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import type { IterationCompleteEvent, PureStrategy } from '../../src/strategies/strategy.ts';
import type { Seen } from '../support/observers.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { fc } from '../support/fast-check.ts';
import { own, under } from '../support/own-strategy.ts';
import { createHarness } from '../support/harness.ts';
import { ended } from '../support/run-history.ts';
import { capturing, note, stopped, verdicts, verifying } from '../support/stand-ins.ts';
import { tenthOfMany } from '../support/tenth.ts';

const newest = <Type extends LoopEvent['type']>(facts: readonly Seen[], type: Type) =>
  facts.findLast((fact): fact is Extract<Seen, { type: Type }> => fact.type === type);

interface Planned {
  readonly ends: 'text' | 'no step left' | 'error';
  readonly tree: string;
  readonly passes: boolean;
  readonly says: 'continue' | 'complete' | 'timeout' | 'fail' | 'stop';
}
const attempts = fc.array(
  fc.record<Planned>({
    ends: fc.constantFrom('text', 'text', 'text', 'no step left', 'error'),
    tree: fc.constantFrom('tree-a', 'tree-b', 'tree-c'),
    passes: fc.boolean(),
    says: fc.constantFrom('continue', 'complete', 'timeout', 'fail', 'stop'),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Plays attempts one after another; the last is repeated for ever. */
async function played(
  plan: readonly Planned[],
  asked: { readonly checks: readonly string[]; readonly maxIterations: number },
) {
  const at = (index: number) => plan[index] ?? plan.at(-1);
  const onIterationComplete = async ({ iteration }: IterationCompleteEvent) => {
    const says = at(iteration)?.says ?? 'continue';
    return { continue: says === 'continue', reason: says, ...(says === 'stop' ? {} : { action: says }) };
  };
  const harness = under(
    { onIterationComplete },
    {
      tools: [note],
      services: {
        capture: capturing(...plan.map(({ tree }) => tree)),
        verify: verifying((_check, { workspace }) => plan.findLast(({ tree }) => tree === workspace)?.passes ?? false),
      },
      model: ({ iteration, step }) => {
        const { ends } = at(iteration) ?? { ends: 'text' };
        if (ends === 'error') throw new Error('it broke');
        return ends === 'text' ? { text: 'DONE' } : { calls: [{ tool: 'note', arguments: { step } }] };
      },
    },
  );
  return { log: harness.log, ...(await harness.play({ ...own, maxSteps: 2, ...asked, checks: [...asked.checks] })) };
}

test('L8 a success is proven on the workspace as it is, or no check has ever failed on it: whatever was said', () =>
  fc.assert(
    fc.asyncProperty(attempts, fc.boolean(), fc.integer({ min: 1, max: 4 }), async (plan, hasChecks, maxIterations) => {
      const { outcome, facts, log, run } = await played(plan, {
        checks: hasChecks ? ['L1:npm test'] : [],
        maxIterations,
      });
      const decision = newest(facts, 'decision.made');
      const capture = newest(facts, 'workspace.captured');
      const verification = newest(facts, 'verification.completed');
      expect(decision?.payload.sink).toEqual(outcome);
      expect(await log.run(run)).toMatchObject({ closed: outcome.ending });
      const isProof = verification?.payload.passed && verification.payload.workspace === capture?.payload.hash;
      const isOfThisRound = (verification?.version ?? 0) > (newest(facts, 'iteration.started')?.version ?? 0);
      // Proof of the round that is over beats every cap, and whatever the strategy says.
      expect(outcome.ending === 'success' && outcome.verified !== null).toBe(isProof === true && isOfThisRound);
      if (outcome.ending !== 'success') return;
      if (outcome.verified) {
        expect(outcome.verified).toEqual({
          version: verification?.version,
          workspace: capture?.payload.hash ?? null,
          grade: 'weak',
          enough: false,
        });
        expect(decision?.payload.evidence).toEqual([`${run}/${verification?.version}`]);
      } else {
        const failed = facts.filter((fact) => fact.type === 'verification.completed' && !fact.payload.passed);
        expect(
          failed.map((fact) => (fact.type === 'verification.completed' ? fact.payload.workspace : null)),
        ).not.toContain(capture?.payload.hash);
      }
    }),
    { numRuns: tenthOfMany(400) },
  ));

describe('L8 checks prove the workspace they were run on', () => {
  const elsewhere = verifying(() => true);
  const ofAnotherTree = {
    ...elsewhere,
    execute: (input: Parameters<typeof elsewhere.execute>[0], call: Parameters<typeof elsewhere.execute>[1]) =>
      elsewhere.execute({ ...input, workspace: 'another' }, call),
  };

  test('L8 a proof of another one ends no loop of attempts in success', async () => {
    const harness = createHarness({ model: { answers: [{ text: 'done' }] }, services: { verify: ofAnotherTree } });
    const { outcome } = await harness.play({ checks: ['true'], maxIterations: 2 });
    expect(outcome).toEqual({ ending: 'cap_hit', limit: { name: 'iterations', used: 2, limit: 2 } });
  });

  test('L8 nor a turn', async () => {
    const harness = createHarness({
      model: ({ step }) => ({ text: `done ${step}` }),
      services: { verify: ofAnotherTree },
    });
    const { outcome, facts } = await harness.play({ loop: 'turn', checks: ['true'], maxSteps: 2 });
    expect(outcome).toEqual({ ending: 'cap_hit', limit: { name: 'steps', used: 2, limit: 2 } });
    expect(
      facts.find(
        (fact) => fact.type === 'decision.made' && fact.payload.reason === 'no check has proven the finished work',
      ),
    ).toBeDefined();
  });

  test('L8 outside git a proof is good for its round, and a continuation has to prove the work again', async () => {
    const checked = (hash: string | null) => {
      const begun = Promise.withResolvers<void>();
      let times = 0;
      const verify: ReturnType<typeof verifying> = {
        effectClass: () => 'repeatable',
        async *execute(input, call) {
          begun.resolve();
          if ((times += 1) === 1) await stopped(call);
          yield* elsewhere.execute(input, call);
        },
      };
      const capture: ReturnType<typeof capturing> = {
        effectClass: () => 'repeatable',
        async *execute() {
          yield { type: 'workspace.captured', payload: { hash, ref: null, changed: [] } };
        },
      };
      return {
        harness: createHarness({ model: { answers: [{ text: 'done', repeat: 9 }] }, services: { verify, capture } }),
        begun,
        times: () => times,
      };
    };
    for (const [hash, expected] of [
      ['tree-1', 1],
      [null, 2],
    ] as const) {
      const { harness, begun, times } = checked(hash);
      const { run, abort, ...live } = await harness.start({ loop: 'turn', checks: ['true'] });
      await begun.promise;
      await abort();
      expect((await ended(live)).outcome.ending).toBe('abort');
      expect((await ended(await harness.extend(run))).outcome).toMatchObject({
        ending: 'success',
        verified: { workspace: hash },
      });
      expect(times()).toBe(expected);
    }
  });

  test('L8 what failed on the same files has failed, also where this attempt was not checked', async () => {
    const onIterationComplete = async ({ iteration }: IterationCompleteEvent) =>
      iteration === 0
        ? { continue: true, reason: 'more' }
        : { continue: false, action: 'complete' as const, reason: 'DONE' };
    const harness = (...trees: string[]) =>
      under(
        { onIterationComplete },
        {
          tools: [note],
          services: { capture: capturing(...trees), verify: verdicts(false) },
          model: ({ iteration, step }) =>
            iteration === 0 ? { text: 'done' } : { calls: [{ tool: 'note', arguments: { step } }] },
        },
      );
    const same = await harness('tree-1', 'tree-1').play({ ...own, maxSteps: 2, maxIterations: 9 });
    expect(same.outcome).toMatchObject({ ending: 'doom_loop', finding: { detector: 'strategy-stop' } });
    const other = await harness('tree-1', 'tree-2').play({ ...own, maxSteps: 2, maxIterations: 9 });
    expect(other.outcome).toEqual({ ending: 'success', verified: null, partial: false });
    expect(newest(other.facts, 'decision.made')?.payload.reason).toBe(
      'finished, though no check has proven the work; DONE; the attempt ended: step limit reached (2/2)',
    );
  });
});

describe('a success beats the cap that is reached with it', () => {
  test('L3 a proven one, by iterations, steps and tokens', async () => {
    const model = { answers: [{ text: 'done', usage: { inputTokens: 900, outputTokens: 100 } }] };
    for (const asked of [{ maxIterations: 1 }, { maxTokens: 1_000 }, { loop: 'turn', maxSteps: 1 }] as const) {
      expect((await createHarness({ model }).play({ checks: ['true'], ...asked })).outcome).toMatchObject({
        ending: 'success',
        verified: { workspace: 'tree-1' },
      });
    }
  });

  test('L3 one that a strategy claims, where nothing was to be checked', async () => {
    const onIterationComplete = async () => ({ continue: false, action: 'complete' as const, reason: 'DONE' });
    const { outcome } = await under({ onIterationComplete }).play({ ...own, checks: [], maxIterations: 1 });
    expect(outcome).toEqual({ ending: 'success', verified: null, partial: false });
  });

  test('L17 but no claim what the time limit cut short', async () => {
    const clock = fakeClock();
    const members: Partial<PureStrategy> = {
      pure: true,
      decide: () => ({ continue: false, action: 'complete', reason: 'DONE' }),
    };
    const harness = under(members, {
      clock,
      services: {
        verify: {
          effectClass: () => 'repeatable',
          async *execute(_input, call) {
            call.delta({ kind: 'output', text: 'checking' });
            await stopped(call);
            yield { type: 'effect.interrupted', payload: { actor: 'checks', reason: 'abort' } };
          },
        },
      },
    });
    const { observer, ...live } = await harness.start({ ...own, maxTime: '1m' });
    await observer.untilDelta(({ text }) => text === 'checking');
    clock.advance(60_000);
    expect((await ended(live)).outcome).toMatchObject({ ending: 'cap_hit', limit: { name: 'time_ms' } });
  });
});
