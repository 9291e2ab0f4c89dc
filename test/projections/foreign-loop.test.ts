import { expect, test } from 'vitest';
import type { Recorded } from '../../machines/events.ts';
import type { ReviewedEvent } from '../../docs/examples/own-loop/reviewed.events.ts';
import { loop as reviewed } from '../../docs/examples/own-loop/reviewed.loop.ts';
import {
  captured,
  checked,
  endsIn,
  goesOn,
  iterationStarted,
  outcomes,
  settled,
  started,
} from '../../docs/examples/own-loop/reviewed.environment.ts';
import { describedAttempts } from '../../src/loops/attempt-loop.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { Account } from '../../src/projections/run-account.ts';
import { LoopInView } from '../../src/projections/loop-in-view.ts';
import { Asking } from '../../src/projections/questions.ts';
import { type RunSummary, runSummary } from '../../src/projections/run-summary.ts';
import { timelineEntry } from '../../src/projections/timeline.ts';
import type { Fact, FactOf } from '../../src/kernel/effect-handlers.ts';
import type { LoopDefinition } from '../../src/kernel/loop-definition.ts';
import type { Questions } from '../../src/kernel/loop-description.ts';

/** Asks a person whenever a review was interrupted. */
class WhyInterrupted implements Questions {
  #open: FactOf<ReviewedEvent> | null = null;

  observe(fact: FactOf<ReviewedEvent>): void {
    if (fact.type === 'review.interrupted') this.#open = fact;
  }

  asked() {
    if (!this.#open) return [];
    const { run, version, at } = this.#open;
    const words = { kind: 'question', text: 'What stopped it?', choices: [], path: null } as const;
    return [
      {
        run,
        callId: `review.${version}`,
        ...words,
        askedAt: at,
        event: `${run}/${version}`,
        isOpen: true,
        answer: null,
      },
    ];
  }
}

/** The example, which says as much of itself as a loop may. */
const loop: LoopDefinition = {
  ...reviewed,
  spend: ({ type }: ReviewedEvent) => (type === 'review.given' ? { toolCalls: 1 } : {}),
  describe: describedAttempts({
    round: 'draft',
    line({ type, payload }: Recorded<ReviewedEvent>) {
      if (type === 'review.given') return `${payload.approved ? 'approved' : 'refused'}: ${payload.remark}`;
      return ['review.interrupted', 'iteration.started'].includes(type) ? null : 'asked about an event of every loop';
    },
    adds: ({ type, payload }: Recorded<ReviewedEvent>) =>
      type === 'review.given'
        ? { remark: payload.remark, answer: payload.remark, request: { kind: 'answered', by: 'a reader' } }
        : { remark: type },
    questions: () => new WhyInterrupted(),
  }),
};

const USAGE = { inputTokens: 30, outputTokens: 3 };
const review = (approved: boolean, remark: string): ReviewedEvent => ({
  type: 'review.given',
  payload: { approved, remark, usage: USAGE },
});

/** Two rounds: one that the reviewer refuses, and one that is approved. */
const events = [
  started(),
  goesOn,
  iterationStarted(0),
  settled(outcomes.success),
  captured,
  checked(true),
  review(false, 'The names are unclear.'),
  goesOn,
  iterationStarted(1),
  settled(outcomes.success),
  captured,
  checked(true),
  { type: 'review.interrupted', payload: { reason: 'the process ended' } },
  review(true, 'Good.'),
  endsIn(outcomes.success),
];
const facts = events.map(
  (event, index) => ({ ...event, run: 'r', version: index + 1, at: '2026-03-01T12:00:00.000Z' }) as Fact,
);

const linesBy = (loops: readonly LoopDefinition[]) => {
  const inView = new LoopInView(loops);
  return facts.map((one) => `${one.type} ${timelineEntry(one, inView.observe(one)).text}`);
};
const summaryBy = (loops: readonly LoopDefinition[]) =>
  facts.reduce<RunSummary | null>((before, one) => runSummary(before, one, loops), null);
function accountBy(loops: readonly LoopDefinition[]): Account {
  const account = new Account(loops);
  for (const one of facts) account.observe(one);
  return account;
}

test("a loop of a person's own says its events in its own words, and its attempts as other loops do", () => {
  const lines = linesBy([loop]);
  expect(lines).toContain('review.given refused: The names are unclear.');
  expect(lines).toContain('iteration.started iteration 2');
  expect(lines).toContain('verification.completed passed: ✓ L1 unit');
});

test('the example tells a review in a line, and on the row of its round', () => {
  expect(linesBy([reviewed])).toContain('review.given approved: Good.');
  expect(summaryBy([reviewed])?.iterations[0]?.remarks).toEqual(['rejected: The names are unclear.']);
});

test('an event that its loop has no words for, or whose loop is not at hand, is told as it was recorded', () => {
  expect(linesBy([loop])).toContain('review.interrupted {"reason":"the process ended"}');
  const line = linesBy(shippedLoops).find((text) => text.startsWith('review.given'));
  expect(line).toBe(
    'review.given {"approved":false,"remark":"The names are unclear.","usage":{"inputTokens":30,"outputTokens":3}}',
  );
});

test('once a run is migrated, its events are told by the later version', () => {
  const later: LoopDefinition = {
    ...loop,
    id: 'reviewed@2',
    describe: { ...loop.describe, line: () => 'told by version 2' },
  };
  const migrated = { type: 'run.migrated', payload: { from: 'reviewed@1', to: 'reviewed@2' } };
  const inView = new LoopInView([loop, later]);
  const told = [started(), review(true, 'Good.'), migrated, review(true, 'Better.')].map((event, index) => {
    const one = { ...event, run: 'r', version: index + 1, at: '2026-03-01T12:00:00.000Z' } as Fact;
    return timelineEntry(one, inView.observe(one)).text;
  });
  expect(told.slice(1)).toEqual(['approved: Good.', 'from reviewed@1 to reviewed@2', 'told by version 2']);
});

test('its rounds are rows, each with what its own events say of it', () => {
  const { iterations, answer, ending } = summaryBy([loop]) ?? {};
  expect(iterations).toMatchObject([
    {
      iteration: 0,
      attempt: { ending: 'success' },
      passed: true,
      remarks: ['The names are unclear.'],
      decision: { action: 'continue' },
    },
    {
      iteration: 1,
      attempt: { ending: 'success' },
      passed: true,
      remarks: ['review.interrupted', 'Good.'],
      decision: { action: 'stop' },
    },
  ]);
  expect(answer).toBe('Good.');
  expect(ending?.outcome).toEqual(outcomes.success);
});

test('a row of a round keeps the newest remarks alone', () => {
  const many = [...events.slice(0, 3), ...Array.from({ length: 20 }, (_, index) => review(false, `remark ${index}`))];
  const told = many.map(
    (event, index) => ({ ...event, run: 'r', version: index + 1, at: '2026-03-01T12:00:00.000Z' }) as Fact,
  );
  const summary = told.reduce<RunSummary | null>((before, one) => runSummary(before, one, [loop]), null);
  const newest = [12, 13, 14, 15, 16, 17, 18, 19].map((number) => `remark ${number}`);
  expect(summary?.iterations[0]?.remarks).toEqual(newest);
});

test('what its own events use is in the summary and in the account, under the model that used it', () => {
  const attempts = { inputTokens: 2 * 70, outputTokens: 2 * 7, toolCalls: 2, steps: 4 };
  expect(summaryBy([loop])?.spend).toEqual({
    inputTokens: 200,
    outputTokens: 20,
    toolCalls: attempts.toolCalls + 2,
    steps: attempts.steps,
  });
  const { spend, models, phases } = accountBy([loop]);
  expect(spend).toEqual({ inputTokens: 60, outputTokens: 6, toolCalls: 2, steps: 0 });
  expect(models).toMatchObject([{ model: 'a reader', requests: 2, inputTokens: 60 }]);
  expect(phases).toEqual([{ phase: 'answers', tokens: 66, costNanoUsd: 0 }]);
});

test('the usage of failed reviews of the example counts as failures in its account', () => {
  const failed: ReviewedEvent = {
    type: 'review.failed',
    payload: { fault: { code: 'broken', message: 'it broke' }, usage: USAGE },
  };
  const cut: ReviewedEvent = { type: 'review.interrupted', payload: { reason: 'told to stop', usage: USAGE } };
  const account = new Account([reviewed]);
  for (const [index, event] of [started(), review(true, 'Good.'), cut, failed].entries()) {
    account.observe({ ...event, run: 'r', version: index + 1, at: '2026-03-01T12:00:00.000Z' } as Fact);
  }
  expect(account.phases).toMatchObject([
    { phase: 'answers', tokens: 33 },
    { phase: 'failures', tokens: 66 },
  ]);
});

test('what it asks people is asked in its own way', () => {
  const asking = new Asking([loop]);
  for (const one of facts) asking.observe(one);
  expect(asking.open()).toMatchObject([{ run: 'r', callId: 'review.13', text: 'What stopped it?', event: 'r/13' }]);
  expect(accountBy([loop]).asked).toEqual([{ run: 'r', callId: 'review.13', text: 'What stopped it?', answer: null }]);
});

/** The questions of a run that is migrated between two interruptions, the later version being described like this. */
function askedAfterMigration(describe: Partial<LoopDefinition['describe']>) {
  const { questions: _, ...others } = loop.describe;
  const later: LoopDefinition = { ...loop, id: 'reviewed@2', describe: { ...others, ...describe } };
  const migrated = { type: 'run.migrated', payload: { from: 'reviewed@1', to: 'reviewed@2' } };
  const interrupted = { type: 'review.interrupted', payload: { reason: 'lost' } };
  const asking = new Asking([loop, later]);
  for (const [index, event] of [started(), interrupted, migrated, interrupted].entries()) {
    asking.observe({ ...event, run: 'r', version: index + 1, at: '2026-03-01T12:00:00.000Z' } as Fact);
  }
  return asking.asked().map(({ text, event }) => `${event} ${text}`);
}

test('once a run is migrated, the later version follows its questions, and knows what was asked before', () => {
  const questions = (earlier?: Questions): Questions => {
    const own = new WhyInterrupted();
    const ofOwn = () => own.asked().map((one) => ({ ...one, text: 'Asked by version 2' }));
    return {
      observe: (fact) => own.observe(fact as FactOf<ReviewedEvent>),
      asked: () => [...(earlier?.asked() ?? []), ...ofOwn()],
    };
  };
  expect(askedAfterMigration({ questions })).toEqual(['r/2 What stopped it?', 'r/4 Asked by version 2']);
});

test('a later version that says nothing of questions leaves those of the version before it', () => {
  expect(askedAfterMigration({})).toEqual(['r/4 What stopped it?']);
});

test('where its loop is not at hand, a run is told by what every loop records', () => {
  const summary = summaryBy([]);
  expect(summary).toMatchObject({
    machine: 'reviewed@1',
    iterations: [],
    ending: { outcome: { ending: 'success' } },
    answer: 'Done.',
  });
  expect(summary?.spend).toMatchObject({ inputTokens: 200, toolCalls: 2 });
  const account = accountBy([]);
  expect(account.models).toMatchObject([{ model: 'script:answers.json', inputTokens: 60 }]);
  expect(account.asked).toEqual([]);
});
