// Over 300 lines because every output format is shown beside the others.
import { Writable } from 'node:stream';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { LiveView } from '../../src/cli/live/live-view.ts';
import { Narrator } from '../../src/cli/live/narrator.ts';
import { Output } from '../../src/cli/terminal/output.ts';
import { Progress } from '../../src/cli/live/progress-line.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { iterationLoop } from '../../src/loops/iteration/definition.ts';
import type { Fact, Activity } from '../../src/kernel/effect-handlers.ts';
import type { LoopDefinition } from '../../src/kernel/loop-definition.ts';
import type { LoopDescription } from '../../src/kernel/loop-description.ts';
import { continued, loopStarted, settingsOf, turnStarted } from '../support/facts.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const CLEAR = '\r\u001b[K';

/** What was written to a stream that is a terminal of so many columns, or a pipe. */
function screen({ columns, redraw = true }: { readonly columns?: number; readonly redraw?: boolean }) {
  let written = '';
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      written += String(chunk);
      done();
    },
  });
  const terminal = Object.assign(stream, columns === undefined ? {} : { isTTY: true, columns });
  const take = () => {
    const text = written;
    written = '';
    return text;
  };
  return { to: new Output(terminal as unknown as NodeJS.WriteStream, { colour: false, redraw }), take };
}

let version = 0;
beforeEach(() => {
  version = 0;
});
const fact = (event: LoopEvent, afterMs = 0, run = 'r'): Fact => ({
  ...event,
  run,
  version: (version += 1),
  at: new Date(START + afterMs).toISOString(),
});
const stepStarted = (step: number): LoopEvent => ({
  type: 'step.started',
  payload: { step, startedAt: new Date(START).toISOString() },
});
const iterationStarted = (iteration: number): LoopEvent => ({
  type: 'iteration.started',
  payload: { iteration, startedAt: new Date(START).toISOString() },
});
/** A run of a turn that has just begun. */
function turnUnderWay(): Progress {
  const progress = new Progress(shippedLoops);
  progress.recall(fact(turnStarted()));
  return progress;
}
const asksFor = (
  command: string,
  usage = {
    inputTokens: 8_000,
    outputTokens: 400,
    cost: { nanoUsd: 30_000_000, price: { inputPerMillion: 1, outputPerMillion: 1, source: 'x' } },
  },
): LoopEvent => ({
  type: 'model.completed',
  payload: { text: '', usage, calls: [{ callId: '2.0', providerId: null, tool: 'shell', arguments: { command } }] },
});
const admitted: LoopEvent = {
  type: 'calls.admitted',
  payload: { run: [{ callId: '2.0', actor: 'runTool' }], refused: [] },
};

describe('lines and the status below them', () => {
  test('a line clears the status and is followed by it again', () => {
    const { to, take } = screen({ columns: 40 });
    to.status('busy');
    to.line('news');
    to.status('');
    expect(take()).toBe(`${CLEAR}busy${CLEAR}news\nbusy${CLEAR}`);
  });

  test('a status never reaches the last column, and is drawn again only where it differs', () => {
    const { to, take } = screen({ columns: 8 });
    to.status('漢字漢字漢字');
    to.status('漢字漢字漢字');
    to.status('12345678');
    expect(take()).toBe(`${CLEAR}漢字漢…${CLEAR}123456…`);
  });

  test('what is read in passing is cut to the terminal, what may be copied is not', () => {
    const { to, take } = screen({ columns: 10 });
    to.brief('a line that is too long');
    to.line('loopfold resume 12345678');
    expect(take()).toBe('a line th…\nloopfold resume 12345678\n');
  });

  test.for([
    ['a pipe', {}],
    ['a dumb terminal', { columns: 80, redraw: false }],
  ] as const)('%s has no status', ([, where]) => {
    const { to, take } = screen(where);
    to.status('busy');
    to.brief('x'.repeat(200));
    expect(take()).toBe(`${'x'.repeat('columns' in where ? 79 : 200)}${'columns' in where ? '…' : ''}\n`);
  });

  test('what comes while a person types begins on a line of its own', () => {
    const { to, take } = screen({ columns: 40 });
    to.prompt('> ');
    to.line('news');
    to.prompt('> ');
    to.prompted(true);
    to.line('more');
    expect(take()).toBe('> \nnews\n> more\n');
  });
});

describe('what a run is busy with', () => {
  test('in one line: where it is, what it waits for and how long, what it has used', () => {
    const progress = new Progress(shippedLoops);
    for (const event of [loopStarted(), iterationStarted(0), iterationStarted(1)]) progress.observe(fact(event));
    expect(progress.status(START + 3_400)).toBe('iteration 2/3 · an attempt · 3 s');
    const parent = { run: 'r', effect: 'r/3/1', iteration: 1 };
    const attempt: LoopEvent = {
      type: 'run.started',
      payload: { machine: 'turn@1', settings: { ...settingsOf('turn'), parent } },
    };
    for (const event of [attempt, stepStarted(0), stepStarted(1), stepStarted(2)])
      progress.observe(fact(event, 0, 'c'));
    expect(progress.status(START + 3_400)).toBe('iteration 2/3 · step 3 · the model · 3 s');
    progress.heard('x'.repeat(41));
    expect(progress.status(START)).toContain('~11 tokens');
    progress.observe(fact(asksFor('npm test'), 0, 'c'));
    progress.observe(fact(admitted, 1_000, 'c'));
    expect(progress.status(START + 13_000)).toBe(
      'iteration 2/3 · step 3 · shell npm test · 12 s · 8,400 tokens · $0.0300',
    );
    expect(progress.waiting(START + 66_000)).toBe('still at it: shell npm test, for 1 min 5 s');
    progress.observe(fact({ type: 'tool.completed', payload: { callId: '2.0', output: '' } }, 0, 'c'));
    expect(progress.status(START)).toBe('iteration 2/3 · step 3 · 8,400 tokens · $0.0300');
  });

  test('W6 running checks are told with their tests, those before any work by name, and so is the summary', () => {
    const progress = new Progress(shippedLoops);
    progress.observe(fact(loopStarted({ checks: true })));
    const first: LoopEvent = { type: 'decision.made', payload: { action: 'continue', reason: 'x', evidence: [] } };
    progress.observe(fact(first));
    expect(progress.status(START)).toBe('the checks, before any work · 0 s');
    progress.printed('✔ adds\n✖ subtr');
    progress.printed('acts\nnot ok 3 - divides\nℹ tests 3\n');
    expect(progress.status(START)).toBe('the checks, before any work, 3 tests · 0 s');
    const levels = [{ level: 'L0' as const, passed: false, checks: [] }];
    const baseline = { type: 'baseline.taken', payload: { passed: false, levels, workspace: 'x', fault: null } };
    progress.observe(fact(baseline as unknown as LoopEvent));
    progress.observe(fact(iterationStarted(0)));
    const captured = { type: 'workspace.captured', payload: { hash: 'x', ref: null, changed: [] } };
    progress.observe(fact(captured as unknown as LoopEvent));
    progress.printed('ok 1 - adds\n');
    expect(progress.status(START)).toBe('iteration 1/3 · the checks, 1 of about 3 tests · 0 s');
    const sink = { ending: 'success' as const, verified: null, partial: false };
    progress.observe(fact({ type: 'decision.made', payload: { action: 'stop', reason: 'x', evidence: [], sink } }));
    expect(progress.status(START)).toBe('iteration 1/3 · the summary · 0 s');
    progress.observe(fact({ type: 'summary.written', payload: { text: 'done' } }));
    expect(progress.status(START)).toBe('iteration 1/3');
  });

  test('without a limit a round has no number to come to', () => {
    const progress = new Progress(shippedLoops);
    for (const event of [loopStarted({ limits: { maxIterations: null } }), iterationStarted(0)])
      progress.observe(fact(event));
    expect(progress.status(START)).toBe('iteration 1 · an attempt · 0 s');
  });

  test('after a crash or a pause the clock begins anew, without the idle time', () => {
    const progress = turnUnderWay();
    progress.recall(fact(stepStarted(0)));
    progress.recall(fact({ type: 'run.paused', payload: { by: 'signal' } }, 2_000));
    progress.observe(fact({ type: 'run.resumed', payload: { idleMs: 88_000 } }, 90_000));
    expect(progress.waiting(START + 91_000)).toBe('still at it: the model, for 1 s');
  });

  test('a rate limit is told with its end', () => {
    const progress = turnUnderWay();
    progress.observe(fact(stepStarted(0)));
    progress.observe(fact({ type: 'model.limited', payload: { retryAt: '2026-01-01T00:01:00.000Z' } }));
    expect(progress.waiting(START + 1_000)).toBe("still at it: the provider's rate limit, until 00:01:00 UTC, for 1 s");
    progress.observe(fact({ type: 'timer.fired', payload: { timer: 'retry' } }, 60_000));
    expect(progress.waiting(START + 61_000)).toBe('still at it: the model, for 1 s');
  });
});

describe('signs of life', () => {
  const view = (where: Parameters<typeof screen>[0]) => {
    vi.useFakeTimers({ now: START });
    const { to, take } = screen(where);
    const progress = turnUnderWay();
    progress.observe(fact(stepStarted(0)));
    const shown = new LiveView({ to, progress });
    shown.start();
    return { to, take, progress, shown };
  };

  test('a terminal sees the clock go on, and what is new within a tenth of a second, however much that is', () => {
    const { take, progress, shown } = view({ columns: 80 });
    vi.advanceTimersByTime(2_000);
    expect(take()).toBe(`${CLEAR}step 1 · the model · 1 s${CLEAR}step 1 · the model · 2 s`);
    for (let piece = 0; piece < 50; piece += 1) {
      progress.heard('four');
      shown.changed();
      vi.advanceTimersByTime(2);
    }
    expect(take().split(CLEAR)).toHaveLength(2);
    shown.stop();
    expect(take()).toBe(CLEAR);
    shown.changed();
    vi.advanceTimersByTime(5_000);
    expect(take()).toBe('');
    vi.useRealTimers();
  });

  test('a pipe is told what the run waits for after half a minute of silence, and then every half minute', () => {
    const { to, take, shown } = view({});
    vi.advanceTimersByTime(20_000);
    to.line('news');
    vi.advanceTimersByTime(29_000);
    expect(take()).toBe('news\n');
    vi.advanceTimersByTime(2_000);
    expect(take()).toMatch(/^still at it: the model, for 5[01] s\n$/);
    vi.advanceTimersByTime(60_000);
    expect(take().trimEnd().split('\n').length).toBeLessThanOrEqual(2);
    shown.stop();
    vi.advanceTimersByTime(60_000);
    expect(take()).toBe('');
    vi.useRealTimers();
  });
});

describe('what is told in words', () => {
  const told = (...events: LoopEvent[]) => {
    const { to, take } = screen({});
    const narrator = new Narrator(to, shippedLoops);
    narrator.recall(fact(turnStarted()));
    for (const event of events) narrator.tell(fact(event));
    return take();
  };
  const fault = { code: 'overloaded', message: 'too many requests' };
  const usage = { inputTokens: 0, outputTokens: 0 };

  test.for<readonly [string, LoopEvent, string]>([
    [
      'a retry',
      { type: 'model.retried', payload: { attempt: 2, fault, usage, retryAt: '2026-01-01T00:00:04.000Z' } },
      'the model failed, try 2: too many requests; again in 4.0 s\n',
    ],
    [
      'a rate limit',
      { type: 'model.limited', payload: { retryAt: '2026-01-01T00:01:30.000Z', fault } },
      'rate limit: waiting 1 min 30 s, until 00:01:30 UTC: too many requests\n',
    ],
    [
      'another model',
      { type: 'model.replaced', payload: { from: 'a/1', to: 'b/2', fault } },
      'b/2 answers from here on in place of a/1: too many requests\n',
    ],
    ['steering', { type: 'run.steered', payload: { text: 'use\ntabs' } }, 'a person adds: use tabs\n'],
    [
      'a refusal to let it read',
      { type: 'person.answered', payload: { callId: '0.0', answer: 'no', access: { granted: false, path: '/etc' } } },
      'a person does not allow reading /etc\n',
    ],
    [
      'a pause for a person',
      { type: 'run.paused', payload: { by: 'waiting' } },
      'paused: nothing is left to do until a person has answered\n',
    ],
    ['going on', { type: 'run.resumed', payload: { idleMs: 90_000 } }, 'run r resumed, after 1 min 30 s idle\n'],
    ['a failure', { type: 'model.failed', payload: { fault, usage } }, 'too many requests (overloaded)\n'],
  ])('%s', ([, event, line]) => expect(told(event)).toBe(line));

  test('lines are whole: a step is told with its answer, or before whatever comes instead', () => {
    expect(told(stepStarted(0))).toBe('');
    expect(told(stepStarted(0), { type: 'model.limited', payload: { retryAt: '2026-01-01T00:00:01.000Z' } })).toMatch(
      /^step 1\nrate limit/,
    );
    const says: LoopEvent = { type: 'model.completed', payload: { text: 'Hello.', usage, calls: [] } };
    expect(told(stepStarted(0), { type: 'run.steered', payload: { text: 'be brief' } }, says)).toBe(
      'step 1\na person adds: be brief\n  Hello.\n',
    );
    expect(
      told(stepStarted(0), asksFor('false'), admitted, {
        type: 'tool.completed',
        payload: { callId: '2.0', output: '[exit code 1]' },
      }),
    ).toBe('step 1\n  › shell false\n    ✗ exit code 1\n');
    const flood = { code: 'tool_error', message: `${'x'.repeat(500)}\n[ended: it printed more than 10 bytes]` };
    expect(told(asksFor('yes'), { type: 'tool.failed', payload: { callId: '2.0', fault: flood } })).toMatch(
      /✗ ended: it printed more than 10 bytes\n$/,
    );
  });

  test.for([
    ['a terminal with a status line, once it is done', { columns: 80 }, ['', '  › shell false\n    ✗ exit code 1\n']],
    [
      'a terminal without one, when it begins',
      { columns: 80, redraw: false },
      ['  › shell false\n', '    ✗ exit code 1\n'],
    ],
    ['a pipe, when it begins', {}, ['  › shell false\n', '    ✗ exit code 1\n']],
  ] as const)('G10 a call is named once: on %s', ([, looks, [begun, done]]) => {
    const { to, take } = screen(looks);
    const narrator = new Narrator(to, shippedLoops);
    narrator.recall(fact(turnStarted()));
    narrator.tell(fact(asksFor('false')));
    take();
    narrator.tell(fact(admitted));
    expect(take()).toBe(begun);
    narrator.tell(fact({ type: 'tool.completed', payload: { callId: '2.0', output: '[exit code 1]' } }));
    expect(take()).toBe(done);
  });

  describe('a loop of a person’s own', () => {
    const spend = { inputTokens: 90, outputTokens: 10, toolCalls: 0, steps: 2 };
    const reviewGiven = { type: 'review.given', payload: { remark: 'Call it\nby its name.' } } as unknown as LoopEvent;
    const own = (describe: Partial<LoopDescription>): LoopDefinition => ({
      ...iterationLoop,
      id: 'reviewed@1',
      describe: {
        round: 'draft',
        line: ({ type, payload }) =>
          type === 'review.given' ? `the reviewer says: ${(payload as { remark: string }).remark}` : null,
        ...describe,
      },
    });
    const toldBy = (loop: LoopDefinition, ...events: LoopEvent[]) => {
      const { to, take } = screen({});
      const narrator = new Narrator(to, [...shippedLoops, loop]);
      const { type, payload } = loopStarted({ checks: true });
      const started: LoopEvent = {
        type,
        payload: { ...payload, machine: loop.id, settings: { ...payload.settings, loop: 'reviewed' } },
      };
      for (const event of [started, ...events]) narrator.tell(fact(event));
      return take().split('\n').slice(0, -1);
    };
    const goOn: LoopEvent = {
      type: 'decision.made',
      payload: { action: 'continue', reason: 'not approved yet', evidence: [] },
    };
    const round: LoopEvent[] = [
      goOn,
      iterationStarted(0),
      {
        type: 'child.settled',
        payload: { child: 'c', outcome: { ending: 'success', verified: null, partial: false }, answer: '', spend },
      },
      { type: 'workspace.captured', payload: { hash: null, ref: null, changed: [] } },
      reviewGiven,
      goOn,
    ];

    test('is told round by round in its own words, and its own facts in one line each', () => {
      const loop = own({ child: 'writer' });
      expect(toldBy(loop, ...round, iterationStarted(1))).toEqual([
        'run r reviewed, script:answers.json',
        '',
        'draft 1/3',
        '  writer has ended (2 steps, 100 tokens)',
        '  files   nothing changed',
        '  checks',
        '  the reviewer says: Call it by its name.',
        '  → continue: not approved yet',
        '',
        'draft 2/3',
      ]);
    });

    test('says once for each round that it continues, and again if a continuation has the round judged again', () => {
      const loop = own({ child: 'writer' });
      const ends: LoopEvent = {
        type: 'decision.made',
        payload: {
          action: 'stop',
          sink: { ending: 'abort', cause: 'user', fault: null },
          reason: 'user',
          evidence: [],
        },
      };
      const goesOn = (lines: readonly string[]) => lines.filter((line) => line.includes('→ continue')).length;
      expect(goesOn(toldBy(loop, ...round, goOn))).toBe(1);
      expect(goesOn(toldBy(loop, ...round.slice(0, -1), ends, continued(), goOn))).toBe(1);
    });

    test('whose rounds are small is told without headlines, and what goes on is no news', () => {
      const lines = toldBy(own({ rows: false }), ...round);
      expect(lines).toContain('draft 1');
      expect(lines).toContain('the reviewer says: Call it by its name.');
      expect(lines.join()).not.toContain('not approved yet');
    });

    test('R6 tells its activities in its own words, in place of headlines', () => {
      const activity = ({ status, iteration, maxIterations }: Activity) =>
        status === 'started' ? 'the loop started' : `${status} with ${iteration}/${maxIterations}`;
      const limit = { name: 'iterations' as const, used: 2, limit: 2 };
      const ends: LoopEvent = {
        type: 'decision.made',
        payload: { action: 'stop', sink: { ending: 'cap_hit', limit }, reason: 'enough', evidence: [] },
      };
      const verified: LoopEvent = {
        type: 'verification.completed',
        payload: { passed: false, workspace: null, levels: [] },
      };
      const worked = [...round.slice(2, 4), verified];
      const lines = toldBy(
        own({ child: 'writer', activity }),
        goOn,
        iterationStarted(0),
        ...worked,
        goOn,
        iterationStarted(1),
        ...worked,
        ends,
      );
      expect(lines.slice(0, 4)).toEqual([
        'run r reviewed, script:answers.json',
        '',
        'the loop started',
        '  writer has ended (2 steps, 100 tokens)',
      ]);
      const after = lines.slice(lines.indexOf('  → continue: not approved yet') + 1);
      expect(after.slice(0, 2)).toEqual(['', 'continuing with 2/3']);
      expect(after).toContain('max_iterations with 2/3');
      expect(lines.join()).not.toContain('draft');
    });

    test('may narrate itself, line ends and control characters left out', () => {
      const narration = () => ({
        tell: ({ type }: Fact) =>
          String(type) === 'review.given' ? { lines: [{ rest: ['  said\nso\u001b[2J'] }] } : null,
      });
      expect(toldBy(own({ child: 'writer', narration }), ...round)).toContain('    said so');
    });

    test('that is not known here is told by what every loop records', () => {
      const { to, take } = screen({});
      const narrator = new Narrator(to, []);
      for (const event of [loopStarted({ checks: true }), ...round]) narrator.tell(fact(event));
      expect(take()).toBe(
        'run r iteration, script:answers.json\nrun has ended (2 steps, 100 tokens)\nfiles   nothing changed\nchecks\n',
      );
    });

    test('says what it waits for: the run that performs its round', () => {
      const progress = new Progress([own({ child: 'editor' })]);
      const { type, payload } = loopStarted();
      for (const event of [{ type, payload: { ...payload, machine: 'reviewed@1' } }, iterationStarted(0)])
        progress.observe(fact(event));
      expect(progress.status(START)).toBe('draft 1/3 · an editor · 0 s');
    });
  });
});
