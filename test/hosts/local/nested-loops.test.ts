import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  attempt,
  defineLoop,
  type Loops as Hosted,
  Loops,
  memoryLog,
  type Model,
  roundSettings,
  scriptedModel,
} from 'loopfold';
import { IterationEvent } from 'loopfold/machines';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loop as reviewed } from '../../../docs/examples/own-loop/reviewed.loop.ts';
import { addSpend, NO_SPEND, type Spend } from '../../../machines/outcome.ts';
import { readSettings } from '../../../src/runtime/read-settings.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { iterationCalled } from '../../support/iteration-called.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'nested-'));
  execFileSync('git', ['init', '--quiet', directory]);
});
afterEach(() => rm(directory, { recursive: true, maxRetries: 3 }));

/** Rounds of reviewed work, each attempt of which is a loop of attempts itself: four levels of runs with the turns. */
const outer = defineLoop({
  machine: iterationCalled('outer'),
  events: IterationEvent,
  effects: { runAgent: { ...attempt, opens: (of) => roundSettings(of, { loop: 'reviewed', maxIterations: 3 }) } },
});
const overAttempts = defineLoop({
  ...reviewed,
  effects: {
    ...reviewed.effects,
    runAgent: {
      ...attempt,
      opens: (of) =>
        roundSettings(of, { loop: 'iteration', maxIterations: 2, strategy: { name: 'fixed', config: {} } }),
    },
  },
});

/** Each loop of attempts has a draft that fails its checks and one that passes; the reviewer approves of the second. */
function model(reached: (iteration: number, step: number) => Promise<void> = async () => {}): Model {
  return scriptedModel(async ({ system, step, iteration }) => {
    if (system?.startsWith('You review')) return { text: iteration === 0 ? 'REJECTED\nOnce more.' : 'APPROVED\nGood.' };
    await reached(iteration, step);
    if (step > 0) return { text: 'Done.' };
    return {
      calls: [
        {
          tool: 'write',
          arguments: { path: 'a.mjs', content: iteration === 0 ? 'export const = 1;' : 'export const a = 1;' },
        },
      ],
    };
  });
}

const loopsWith = (log = memoryLog(), answering = model()) =>
  new Loops({ log, model: answering, loops: [outer, overAttempts] });
const OPTIONS = { prompt: 'Export a.', loop: 'outer', checks: ['node --check a.mjs'], checkIn: 'workspace' as const };

async function levelsOf({ log }: Hosted): Promise<readonly string[]> {
  const runs = await Promise.all(
    (await log.runs()).map(async ({ run, closed }) => `${(await readSettings(log, run))?.loop} ${closed}`),
  );
  return [...new Set(runs)];
}

/** What turns and reviewers have used: all that is used at all. */
async function usedIn({ log }: Hosted): Promise<Spend> {
  let used = NO_SPEND;
  for (const { run } of await log.runs()) {
    for await (const { type, payload } of log.read(run)) {
      const { usage, run: admitted } = payload as {
        usage?: Pick<Spend, 'inputTokens' | 'outputTokens'>;
        run?: readonly unknown[];
      };
      const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
      const toolCalls = type === 'calls.admitted' ? (admitted?.length ?? 0) : 0;
      used = addSpend(used, { inputTokens, outputTokens, toolCalls, steps: type === 'step.started' ? 1 : 0 });
    }
  }
  return used;
}

testInTurn('a loop opens another for its rounds, which opens a third, and each counts the usage below it', async () => {
  const loops = loopsWith();
  const end = await (await loops.start({ ...OPTIONS, directory })).done;
  expect(end).toMatchObject({ kind: 'ended', outcome: { ending: 'success', verified: {} } });
  // One outer round, two reviewed attempts, each a loop of two attempts.
  expect(await loops.log.runs()).toHaveLength(1 + 1 + 2 + 4);
  expect(await levelsOf(loops)).toEqual(['outer success', 'reviewed success', 'iteration success', 'turn success']);
  expect(end.kind === 'ended' && end.spend).toEqual(await usedIn(loops));
});

test('an abort ends all of them at once, from the deepest up', async () => {
  const working = Promise.withResolvers<void>();
  const loops = loopsWith(
    memoryLog(),
    model(async () => {
      working.resolve();
      await new Promise(() => {});
    }),
  );
  const live = await loops.start({ ...OPTIONS, directory, graceMs: 3_600_000 });
  await working.promise;
  await live.abort('enough');
  expect(await live.done).toMatchObject({ outcome: { ending: 'abort', cause: 'user' } });
  expect(await levelsOf(loops)).toEqual(['outer abort', 'reviewed abort', 'iteration abort', 'turn abort']);
});

testInTurn('a pause stops all of them, and each goes on where it stood', async () => {
  const log = memoryLog();
  const working = Promise.withResolvers<void>();
  const loops = loopsWith(
    log,
    model(async (round, step) => {
      if (round === 0 || step === 0) return;
      working.resolve();
      await new Promise(() => {});
    }),
  );
  const live = await loops.start({ ...OPTIONS, directory });
  await working.promise;
  await live.pause('user');
  expect(await live.done).toEqual({ kind: 'paused' });
  const before = (await log.runs()).map(({ run }) => run);
  const again = loopsWith(log);

  const resumed = await again.resume(live.run);

  if (resumed.kind !== 'live') throw new Error(resumed.kind);
  expect(await resumed.live.done).toMatchObject({ outcome: { ending: 'success' } });
  const after = await log.runs();
  expect(after.slice(0, before.length).map(({ run }) => run)).toEqual(before);
  expect(after).toHaveLength(1 + 1 + 2 + 4);
  expect(await levelsOf(again)).toEqual(['outer success', 'reviewed success', 'iteration success', 'turn success']);
});

test.each([60, 120, 250, 400])('a cap of %i tokens on the outermost holds for all of them', async (maxTokens) => {
  const loops = loopsWith(
    memoryLog(),
    scriptedModel(({ system, step, iteration, messages }) => {
      const usage = {
        inputTokens: Math.floor(
          JSON.stringify(messages.map((one) => ('text' in one ? one.text : one.output))).length / 8,
        ),
        outputTokens: 3,
      };
      if (system?.startsWith('You review')) return { text: `REJECTED\nNot yet ${iteration}.`, usage };
      if (step > 0) return { text: 'Done.', usage };
      return {
        calls: [
          { tool: 'write', arguments: { path: 'a.mjs', content: `export const a = ${messages.length + iteration};` } },
        ],
        usage,
      };
    }),
  );
  const end = await (await loops.start({ ...OPTIONS, directory, maxTokens, maxIterations: 'none' })).done;
  if (end.kind !== 'ended') throw new Error(end.kind);
  expect(end.outcome.ending).not.toBe('success');
  const { inputTokens, outputTokens } = await usedIn(loops);
  expect(inputTokens + outputTokens).toBeLessThanOrEqual(maxTokens);
  expect(end.spend).toMatchObject({ inputTokens, outputTokens });
});
