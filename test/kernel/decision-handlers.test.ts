import { expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import {
  asItIs,
  type Batch,
  decidingHandlers,
  loopNamed,
  open,
  opening,
  react,
  record,
  shippedLoops,
} from '../../src/kernel/index.ts';
import { read, times } from '../detectors/turn-story.ts';
import { started } from '../support/facts.ts';
import { timeAt } from '../support/given.ts';

const RUN = 'run-1';
const usage = { inputTokens: 10, outputTokens: 1 };

/** A run of a host that has the kernel alone: what it records, and what it answers an effect with. */
function hosted() {
  const first = record(started('turn'), 1, timeAt(0));
  const { settings } = first.payload;
  const loop = loopNamed(settings.loop, shippedLoops);
  const opened = open(first, shippedLoops);
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  const scope = { run: RUN, settings, loop, handlers: decidingHandlers(RUN, settings, loop), redact: asItIs };
  let batch: Batch = opening(scope, opened.state, first);
  const answer = (actor: string, event: LoopEvent): Batch['events'] => {
    const causation = batch.state.outstanding.find((one) => one.actor === actor)?.effect ?? null;
    const next = react(scope, batch.state, { event, causation }, timeAt(1000));
    if (typeof next === 'string') throw new Error(`${event.type}: ${next}`);
    batch = next;
    return next.events;
  };
  return { batch, answer };
}

test('H7 the kernel alone opens a run, and says which effects to start', () => {
  const { events, state } = hosted().batch;
  expect(events.map(({ type }) => type)).toEqual(['run.started', 'decision.made', 'step.started']);
  expect(state.outstanding.map(({ actor }) => actor)).toEqual(['timer', 'streamModel']);
});

test('H7 the kernel alone decides by what the run has recorded: a call that fails again is nudged', () => {
  const { answer } = hosted();
  const isNudged = times(2, (round) => {
    const callId = `${round}.0`;
    const calls = [{ ...read('a'), callId, providerId: null }];
    answer('streamModel', { type: 'model.completed', payload: { text: '', calls, usage } });
    const fault = { code: 'gone', message: 'no such file' };
    const events = answer('runTool', { type: 'tool.failed', payload: { callId, fault } });
    return JSON.stringify(events.find(({ type }) => type === 'decision.made')).includes('repeated-error');
  });
  expect(isNudged).toEqual([false, true]);
});
