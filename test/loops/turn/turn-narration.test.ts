import { expect, test } from 'vitest';
import type { LoopEvent } from '../../../machines/events.ts';
import type { Fact } from '../../../src/kernel/effect-handlers.ts';
import { TurnNarration } from '../../../src/loops/turn/turn-narration.ts';

const fact = (event: object): Fact =>
  ({ ...event, run: 'r', version: 1, at: '2026-03-01T12:00:00.000Z' }) as Fact & LoopEvent;
const CALL = { callId: '0.0', tool: 'shell', arguments: { command: 'sleep 9' } };

const narrated = (result: object): string => {
  const narration = new TurnNarration();
  narration.tell(fact({ type: 'model.completed', payload: { text: '', calls: [CALL], usage: {} } }));
  return JSON.stringify(narration.tell(fact(result))?.lines);
};

test('an interrupted call is named, also where it is the only one: another process may have shown it', () => {
  const lines = narrated({ type: 'tool.interrupted', payload: { callId: '0.0', reason: 'the process is gone' } });
  expect(lines).toContain('sleep 9');
  expect(lines).toContain('interrupted: the process is gone');
});

test('a failed call is not named again where it is the only one and no status line has shown it', () => {
  const lines = narrated({
    type: 'tool.failed',
    payload: { callId: '0.0', fault: { code: 'tool_threw', message: 'no' } },
  });
  expect(lines).toMatch(/sleep 9[^{]*\}\],"names":"done"\}/);
});
