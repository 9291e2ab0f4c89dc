import { expect, test } from 'vitest';
import { readRunView } from '../../src/app/views/read-run-view.ts';
import { RunTracer } from '../../src/app/views/run-tracer.ts';
import { spentAt } from '../../src/studio/spent-at.ts';
import { repository } from '../git/repository.ts';
import { ask, office, untilWaiting } from '../hosts/local/office.ts';

const usage = { inputTokens: 700, outputTokens: 50 };

/** A run of attempts whose first attempt asks a person. */
async function waiting() {
  const { log, loops: make } = office({
    answers: [
      { calls: [ask('Which?')], usage },
      { text: 'done', usage },
    ],
  });
  const { root, commit } = await repository({ 'x.txt': 'x' });
  await commit();
  const loops = make();
  const settings = { loop: 'iteration', sandbox: 'off', maxIterations: 1 } as const;
  const options = { ...settings, checks: ['true'], tools: ['ask_user'], prompt: 'Do it.', directory: root };
  const live = await loops.start(options);
  await untilWaiting(live);
  const read = async () => {
    const record = await log.run(live.run);
    const view = record && (await readRunView(loops, record));
    const tracer = new RunTracer(loops, live.run);
    await tracer.advance();
    if (!view) throw new Error(`no run ${live.run}`);
    return { view, steps: tracer.steps().steps };
  };
  const end = async () => {
    const [question] = (await loops.questions(live.run)) ?? [];
    await loops.answer(question?.run ?? live.run, { text: 'this' });
    await live.done;
  };
  return { log, read, end };
}

test('W2 given a run whose attempt waits for a person, then the scrubber says its tokens until now', async () => {
  const { log, read, end } = await waiting();
  const { view, steps } = await read();
  const [first = null, newest = null] = [steps.at(0), steps.at(-1)];
  expect(newest?.tokens).toBe(0);
  expect(spentAt(newest, steps.length, view).tokens).toBe(750);
  expect(spentAt(first, steps.length, view).tokens).toBe(0);
  await end();
  const ended = await read();
  const last = ended.steps.at(-1) ?? null;
  expect(spentAt(last, ended.steps.length, ended.view)).toBe(last);
  expect(last?.tokens).toBe(ended.view.tokens);
  await log.close();
});
