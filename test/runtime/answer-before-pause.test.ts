import { expect, test } from 'vitest';
import type { RunMessage } from '../../src/kernel/run-message.ts';
import { asItIs, type Batch, decidingHandlers, open, opening, react, record } from '../../src/kernel/index.ts';
import { turnLoop } from '../../src/loops/turn/definition.ts';
import { pauseAsItIs } from '../../src/runtime/recovery.ts';
import { timeAt } from '../support/given.ts';
import * as has from '../support/facts.ts';

const paused = (by: 'waiting' | 'user'): RunMessage => ({
  event: { type: 'run.paused', payload: { by } },
  causation: null,
});

/** A turn whose model is at work, and the same once it has asked a person. */
function turnsThatWait() {
  const first = record(has.turnStarted(), 1, timeAt(0));
  const opened = open(first);
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  const { settings } = first.payload;
  const handlers = decidingHandlers('run-1', settings, turnLoop, { callKind: () => 'person' });
  const scope = { run: 'run-1', settings, loop: turnLoop, handlers, redact: asItIs };
  const working: Batch = opening(scope, opened.state, first);
  const calls = [{ tool: 'ask_user', arguments: { question: 'Which?' }, callId: '0.0', providerId: null }];
  const usage = { inputTokens: 10, outputTokens: 1 };
  const causation = working.state.outstanding.find(({ actor }) => actor === 'streamModel')?.effect ?? null;
  const event = { type: 'model.completed', payload: { text: '', calls, usage } } as const;
  const asked = react(scope, working.state, { event, causation }, timeAt(1_000));
  if (typeof asked === 'string') throw new Error(asked);
  return { working: working.state, asked: asked.state };
}

test('T9 H3 a run that has its answer when it leaves is paused by a signal, one that waits by waiting', () => {
  const { working, asked } = turnsThatWait();
  const recordedIn = (state: typeof asked, by: 'waiting' | 'user') =>
    pauseAsItIs(paused(by), { state, loop: turnLoop }).event.payload;
  expect(recordedIn(working, 'waiting')).toEqual({ by: 'signal' });
  expect(recordedIn(asked, 'waiting')).toEqual({ by: 'waiting' });
  expect(recordedIn(working, 'user')).toEqual({ by: 'user' });
});
