import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Loops, memoryLog, type RunOptions, scriptedModel } from 'loopfold';
import { given } from 'loopfold/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RecordedEvent, ReviewedEvent } from './reviewed.events.ts';
import { loop } from './reviewed.loop.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'reviewed-'));
  execFileSync('git', ['init', '--quiet', directory]);
});
afterEach(() => rm(directory, { recursive: true, maxRetries: 3 }));

const DRAFTS = [
  'export const sum = (a, b) => ;',
  'export const x = (y, z) => y + z;',
  'export const sum = (a, b) => a + b;',
];

interface People {
  readonly draft?: (attempt: number) => string;
  readonly review?: (task: string) => string | Promise<string>;
}

/**
 * An agent that writes one draft an attempt, and a reviewer who reads what was changed. Eight characters are a token.
 */
function model({ draft = (attempt) => DRAFTS[attempt] ?? '', review = byName }: People) {
  return scriptedModel(async ({ system, messages, step, iteration }) => {
    const [task] = messages;
    const inputTokens = tokens(
      JSON.stringify([system, messages.map((message) => ('text' in message ? message.text : message.output))]),
    );
    const answer = (text: string) => ({ text, usage: { inputTokens, outputTokens: tokens(text) } });
    if (system?.startsWith('You review')) return answer(await review(task?.role === 'user' ? task.text : ''));
    if (step > 0) return answer('Done.');
    return {
      ...answer('I write it.'),
      calls: [{ tool: 'write', arguments: { path: 'sum.mjs', content: draft(iteration) } }],
    };
  });
}

const tokens = (text: string): number => Math.floor(text.length / 8);

const byName = (diff: string): string =>
  diff.includes('sum =') ? 'APPROVED\nGood.' : 'REJECTED\nCall it by its name.';

const OPTIONS = {
  prompt: 'Export sum(a, b) from sum.mjs.',
  loop: 'reviewed',
  checks: ['node --check sum.mjs'],
  checkIn: 'workspace' as const,
};

async function played(how: People, options: Partial<RunOptions> = {}) {
  const loops = new Loops({ log: memoryLog(), model: model(how), loops: [loop] });
  const live = await loops.start({ ...OPTIONS, directory, ...options });
  const end = await live.done;
  return { end, live, loops, events: await eventsOf(loops, live.run) };
}

async function eventsOf({ log }: Loops, run: string): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const { type, payload, at, version } of log.read(run))
    events.push({ type, payload, at, version } as RecordedEvent);
  return events;
}

const said = (events: readonly RecordedEvent[]): readonly string[] =>
  events.flatMap(({ type, payload }) => {
    if (type === 'verification.completed') return payload.passed ? 'passed' : 'failed';
    return type === 'review.given' ? payload.remark : [];
  });

test('is checked, reviewed, and done again until it is approved', async () => {
  const { end, events } = await played({});
  expect(end).toMatchObject({
    kind: 'ended',
    outcome: { ending: 'success', verified: { workspace: expect.stringMatching(/^[0-9a-f]{40}$/) } },
  });
  expect(said(events)).toEqual(['failed', 'passed', 'Call it by its name.', 'passed', 'Good.']);
  given(loop, ...events.map(({ type, payload }) => ({ type, payload }) as ReviewedEvent)).is({
    state: 'success',
    pending: {},
  });
});

test('tells the next attempt what its reviewer has said', async () => {
  const { loops, events } = await played({});
  const children = events.flatMap((event) => (event.type === 'child.settled' ? [event.payload.child] : []));
  const prompts = await Promise.all(
    children.map(async (child) => {
      const [first] = await eventsOf(loops, child);
      return first?.type === 'run.started' ? first.payload.settings.prompt : '';
    }),
  );
  expect(prompts[1]).toContain('SyntaxError');
  expect(prompts[2]).toContain('A reviewer says:\nCall it by its name.');
});

test('ends in a doom loop where the reviewer says the same again and again', async () => {
  const { end, events } = await played(
    { review: () => 'REJECTED\nI do not like it.' },
    { maxIterations: 10, checks: [] },
  );
  expect(end).toMatchObject({ outcome: { ending: 'doom_loop', finding: { detector: 'identical-calls', count: 3 } } });
  expect(said(events)).toEqual(Array.from({ length: 3 }, () => 'I do not like it.'));
});

test('counts what its reviewer uses, to the token', async () => {
  const { end, events } = await played({});
  const used = events.flatMap<{ inputTokens: number; outputTokens: number }>(({ type, payload }) => {
    if (type === 'child.settled') return [payload.spend];
    return type === 'review.given' && payload.usage ? [payload.usage] : [];
  });
  expect(used).toHaveLength(3 + 2);
  const sum = (of: 'inputTokens' | 'outputTokens') => used.reduce((all, one) => all + one[of], 0);
  expect(end).toMatchObject({ spend: { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') } });
});

test.each([200, 250, 300, 400, 500, 800])('uses no more than %i tokens where that is the limit', async (maxTokens) => {
  const differently = (draft: string) => `REJECTED\nNot yet. ${draft.length} ${'And another thing. '.repeat(100)}`;
  const draft = (attempt: number) => `${DRAFTS[2]} // ${'better '.repeat(attempt)}`;
  const { end } = await played({ draft, review: differently }, { maxTokens, maxIterations: 'none' });
  if (end.kind !== 'ended') throw new Error('it ends');
  expect(end.outcome.ending).toBe('budget');
  expect(end.spend.inputTokens + end.spend.outputTokens).toBeLessThanOrEqual(maxTokens);
});

/** A reviewer who has begun to read, and does not come to an end. */
async function reading(log = memoryLog()) {
  const begun = Promise.withResolvers<void>();
  const review = () => {
    begun.resolve();
    return new Promise<string>(() => {});
  };
  const loops = new Loops({ log, model: model({ review, draft: () => DRAFTS[2] ?? '' }), loops: [loop] });
  const live = await loops.start({ ...OPTIONS, directory, maxTokens: 10_000, graceMs: 3_600_000 });
  await begun.promise;
  return { loops, live };
}

test('is aborted at once in the middle of a review, however long the grace', async () => {
  const { loops, live } = await reading();
  await live.abort('enough');
  expect(await live.done).toMatchObject({ outcome: { ending: 'abort', cause: 'user' } });
  const types = (await eventsOf(loops, live.run)).map(({ type }) => type);
  expect(types.slice(types.indexOf('abort.requested'))).toEqual([
    'abort.requested',
    'review.interrupted',
    'decision.made',
    'summary.written',
    'strategy.ended',
  ]);
});

test('is paused in the middle of a review, and asks for another when it goes on', async () => {
  const log = memoryLog();
  const { live } = await reading(log);
  await live.pause('user');
  expect(await live.done).toEqual({ kind: 'paused' });
  const loops = new Loops({ log, model: model({}), loops: [loop] });
  const resumed = await loops.resume(live.run);
  if (resumed.kind !== 'live') throw new Error(resumed.kind);
  expect(await resumed.live.done).toMatchObject({ outcome: { ending: 'success' } });
  const types = (await eventsOf(loops, live.run)).map(({ type }) => type);
  // The review that was asked for as the run stopped was never begun. The log cannot tell, so it counts as lost as
  // well.
  expect(types.filter((type) => /^review|paused$|resumed$/.test(type))).toEqual([
    'review.interrupted',
    'run.paused',
    'run.resumed',
    'review.interrupted',
    'review.given',
  ]);
});

test('goes on under other limits from where a cap has ended it', async () => {
  const { loops, live } = await played({}, { maxIterations: 2 });
  const extended = await loops.extend(live.run, { maxIterations: 4 });
  if (extended.kind !== 'live') throw new Error(extended.kind);
  expect(await extended.live.done).toMatchObject({ outcome: { ending: 'success' } });
});

test('refuses options that its reviewer does not know, with what was meant', async () => {
  await expect(played({}, { options: { reviwer: 'openai/gpt-5' } })).rejects.toThrow(
    /options\.reviwer.*Did you mean reviewer\?/,
  );
});
