import { Writable } from 'node:stream';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { LiveView } from '../../src/cli/live-view.ts';
import { Narrator } from '../../src/cli/narrator.ts';
import { Output } from '../../src/cli/output.ts';
import { Progress } from '../../src/cli/progress.ts';
import type { Envelope } from '../../src/log/envelope.ts';
import type { Fact } from '../../src/runtime/cast.ts';

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
const fact = (event: LoopEvent, afterMs = 0): Fact => ({ ...event, run: 'r', version: (version += 1), at: new Date(START + afterMs).toISOString() });
const stepStarted = (step: number): LoopEvent => ({ type: 'step.started', payload: { step, startedAt: new Date(START).toISOString() } });
const asksFor = (command: string, usage = { inputTokens: 8_000, outputTokens: 400, cost: { nanoUsd: 30_000_000, price: { inputPerMillion: 1, outputPerMillion: 1, source: 'x' } } }): LoopEvent =>
  ({ type: 'model.completed', payload: { text: '', usage, calls: [{ callId: '2.0', providerId: null, tool: 'shell', arguments: { command } }] } });
const admitted: LoopEvent = { type: 'calls.admitted', payload: { run: [{ callId: '2.0', actor: 'runTool' }], refused: [] } };

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

  test.for([['a pipe', {}], ['a dumb terminal', { columns: 80, redraw: false }]] as const)('%s has no status', ([, where]) => {
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
    const progress = new Progress();
    progress.observe(fact({ type: 'iteration.started', payload: { iteration: 1, startedAt: new Date(START).toISOString() } }));
    progress.observe(fact(stepStarted(2)));
    expect(progress.status(START + 3_400)).toBe('iteration 2 · step 3 · the model · 3 s');
    progress.heard('x'.repeat(41));
    expect(progress.status(START)).toContain('~11 tokens');
    progress.observe(fact(asksFor('npm test')));
    progress.observe(fact(admitted, 1_000));
    expect(progress.status(START + 13_000)).toBe('iteration 2 · step 3 · shell npm test · 12 s · 8,400 tokens · $0.0300');
    expect(progress.waiting(START + 66_000)).toBe('still at it: shell npm test, for 1 min 5 s');
    progress.observe(fact({ type: 'tool.completed', payload: { callId: '2.0', output: '' } }));
    expect(progress.status(START)).toBe('iteration 2 · step 3 · 8,400 tokens · $0.0300');
  });

  test('after a crash or a pause the clock begins anew: nobody has waited meanwhile', () => {
    const progress = new Progress();
    progress.recall(fact(stepStarted(0)));
    progress.recall(fact({ type: 'run.paused', payload: { by: 'signal' } }, 2_000));
    progress.observe(fact({ type: 'run.resumed', payload: { idleMs: 88_000 } }, 90_000));
    expect(progress.waiting(START + 91_000)).toBe('still at it: the model, for 1 s');
  });

  test('a rate limit is told with its end', () => {
    const progress = new Progress();
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
    const progress = new Progress();
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

  test('a pipe hears what is waited for once nothing was said for half a minute, and then every half minute', () => {
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
    const narrator = new Narrator(to);
    for (const event of events) narrator.tell(fact(event) as unknown as Envelope);
    return take();
  };
  const fault = { code: 'overloaded', message: 'too many requests' };
  const usage = { inputTokens: 0, outputTokens: 0 };

  test.for<readonly [string, LoopEvent, string]>([
    ['a retry', { type: 'model.retried', payload: { attempt: 2, fault, usage, retryAt: '2026-01-01T00:00:04.000Z' } }, 'the model failed, try 2: too many requests; again in 4.0 s\n'],
    ['a rate limit', { type: 'model.limited', payload: { retryAt: '2026-01-01T00:01:30.000Z', fault } }, 'rate limit: waiting 1 min 30 s, until 00:01:30 UTC: too many requests\n'],
    ['another model', { type: 'model.replaced', payload: { from: 'a/1', to: 'b/2', fault } }, 'b/2 answers from here on in place of a/1: too many requests\n'],
    ['steering', { type: 'run.steered', payload: { text: 'use\ntabs' } }, 'a person adds: use tabs\n'],
    ['a refusal to let it read', { type: 'person.answered', payload: { callId: '0.0', answer: 'no', access: { granted: false, path: '/etc' } } }, 'a person does not allow reading /etc\n'],
    ['a pause for a person', { type: 'run.paused', payload: { by: 'waiting' } }, 'paused: nothing is left to do until a person has answered\n'],
    ['going on', { type: 'run.resumed', payload: { idleMs: 90_000 } }, 'run r goes on, after 1 min 30 s in which nobody worked on it\n'],
    ['a failure', { type: 'model.failed', payload: { fault, usage } }, 'too many requests (overloaded)\n'],
  ])('%s', ([, event, line]) => expect(told(event)).toBe(line));

  test('lines are whole: a step is told with its answer, or before whatever comes instead', () => {
    expect(told(stepStarted(0))).toBe('');
    expect(told(stepStarted(0), { type: 'model.limited', payload: { retryAt: '2026-01-01T00:00:01.000Z' } })).toMatch(/^step 1\nrate limit/);
    const says: LoopEvent = { type: 'model.completed', payload: { text: 'Hello.', usage, calls: [] } };
    expect(told(stepStarted(0), { type: 'run.steered', payload: { text: 'be brief' } }, says)).toBe('step 1\na person adds: be brief\nstep 1  Hello.\n');
    expect(told(stepStarted(0), asksFor('false'), admitted, { type: 'tool.completed', payload: { callId: '2.0', output: '[exit code 1]' } })).toBe(
      'step 1\n  › shell false\n    ✗ exit code 1\n',
    );
    const flood = { code: 'tool_error', message: `${'x'.repeat(500)}\n[ended: it printed more than 10 bytes]` };
    expect(told(asksFor('yes'), { type: 'tool.failed', payload: { callId: '2.0', fault: flood } })).toMatch(/✗ ended: it printed more than 10 bytes\n$/);
  });
});
