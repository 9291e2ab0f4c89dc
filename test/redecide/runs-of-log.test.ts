import { expect, test } from 'vitest';
import { localServices } from '../../src/hosts/local/local-services.ts';
import type { Log } from '../../src/log/log.ts';
import { builtInNames } from '../../src/redecide/other-judge.ts';
import { redecideTree } from '../../src/redecide/redecide-tree.ts';
import { fc } from '../support/fast-check.ts';
import { createHarness } from '../support/harness.ts';
import { ended } from '../support/run-history.ts';
import { note, tool, untilStopped, verdicts } from '../support/stand-ins.ts';
import { own, under } from '../support/own-strategy.ts';
import { tenthOfMany } from '../support/tenth.ts';

const fails = tool('fails', () => Promise.reject(new Error('no such file')));
const traits = () => ({});

/** What a judge says of a tree when it is asked again: everything must be as it was. */
async function expectTheSame(log: Log, run: string, names = builtInNames(traits)): Promise<void> {
  const tree = await redecideTree(log, run, {}, names);
  const all = [tree, ...tree.below].flatMap(({ redecided }) => redecided.redecisions);
  for (const { other, recorded } of all) expect(other).toEqual(recorded);
  expect(all.every(({ isSame }) => isSame)).toBe(true);
  expect(tree).toMatchObject({ conclusion: 'agrees', turn: null, differsFrom: null, isOpen: false, saved: null });
  expect(tree.agreeing).toBe(tree.judgements);
}

const call = fc
  .constantFrom('note', 'fails', 'finish')
  .chain((name) =>
    fc
      .integer({ min: 0, max: 2 })
      .map((n) => ({ tool: name, arguments: name === 'finish' ? { answer: `${n}` } : { n } })),
  );
const answer = fc.record({ text: fc.constantFrom('', 'I go on.', 'done'), calls: fc.array(call, { maxLength: 4 }) });
const story = fc.record({
  answers: fc.array(answer, { minLength: 1, maxLength: 12 }),
  checks: fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }),
  hashes: fc.array(fc.constantFrom('tree-a', 'tree-b'), { minLength: 1, maxLength: 6 }),
  options: fc.record({
    loop: fc.constantFrom('turn', 'iteration'),
    detectors: fc.constantFrom('default', 'strict', 'off'),
    checks: fc.constantFrom(['L1:npm test'], []),
    maxSteps: fc.integer({ min: 1, max: 8 }),
    maxToolCalls: fc.integer({ min: 2, max: 12 }),
    maxTokens: fc.constantFrom('none' as const, 900, 5_000),
  }),
  strategy: fc.constantFrom('fixed', 'hybrid', 'ralph'),
});

test('with nothing replaced, every judgement of a recorded run is reproduced, for all strategies', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ answers, checks, options, strategy }) => {
      const harness = createHarness({
        tools: [note, fails],
        services: { verify: verdicts(...checks) },
        model: ({ step, iteration }) => ({
          ...answers[(step + iteration) % answers.length],
          usage: { inputTokens: 90, outputTokens: 9 },
        }),
      });
      const { checks: commands, loop, ...caps } = options;
      const asked = { ...caps, checks: [...commands], loop, ...(loop === 'iteration' ? { strategy } : {}) };
      const { run } = await harness.play(asked);
      await expectTheSame(harness.log, run);
    }),
    { numRuns: tenthOfMany(200) },
  );
});

test('a run that was crashed, paused, steered and resumed is judged the same, and so is its continuation', async () => {
  const slow = untilStopped('slow', () => Promise.reject(new Error('cut short')));
  const model = {
    answers: [{ calls: [{ tool: 'note' }, { tool: 'slow' }] }, { calls: [{ tool: 'note' }] }, { text: 'done' }],
  };
  const harness = createHarness({ tools: [note, slow], model });
  const first = await harness.start({ maxSteps: 1 });
  await first.observer.untilDelta(({ text }) => text === 'slow');
  await first.pause('user');
  await first.done;
  const again = createHarness({ tools: [note, { ...note, name: 'slow' }], model, log: harness.log });
  await ended(await again.resume(first.run));
  const next = await again.extend(first.run, { limits: { maxSteps: 5 } });
  await ended(next);
  for (const run of [first.run, next.run]) await expectTheSame(harness.log, run);
});

test('a strategy that takes its time is asked the same, down to the milliseconds, and says the same', async () => {
  const heard: unknown[] = [];
  const members = {
    onIterationComplete: async (event: { readonly iteration: number; readonly elapsedMs: number }) => {
      heard.push(event);
      await new Promise((resolve) => setTimeout(resolve, 3));
      return {
        continue: event.iteration < 2,
        reason: `after ${event.elapsedMs} ms`,
        feedback: 'more',
        metadata: { at: event.elapsedMs },
      };
    },
  };
  const harness = under(members);
  const { run } = await harness.play({ ...own, maxIterations: 5 });
  const asked = [...heard];
  const services = localServices();
  const names = {
    ...builtInNames(),
    callKind: services.callKind,
    strategyOf: () => ({ name: 'own', ...members }) as never,
  };
  await expectTheSame(harness.log, run, names);
  expect(heard.slice(asked.length)).toEqual(asked);
});
