import { expect, test } from 'vitest';
import type { Decision } from '../../src/kernel/decision.ts';
import { open } from '../../src/kernel/fold.ts';
import { MIN_ANSWER_TOKENS } from '../../src/budget/allowance.ts';
import { judged } from '../../src/judging/judgement.ts';
import { JudgeMemory } from '../../src/judging/judge-memory.ts';
import { turnLoop } from '../../src/loops/turn/definition.ts';
import { FixedStrategy } from '../../src/strategies/fixed-strategy.ts';
import * as has from '../support/facts.ts';
import { timeAt } from '../support/given.ts';

/** What a turn decides at its start. Without checks, its first step has no feedback. */
function decided(maxTokens: number): Decision {
  const first = { ...has.turnStarted({ limits: { maxTokens } }), version: 1, at: timeAt(0) };
  const opened = open(first);
  if (opened.kind !== 'opened') throw new Error('no machine');
  const { settings } = first.payload;
  const memory = new JudgeMemory('run', settings, () => [], turnLoop);
  memory.observe({ ...first, run: 'run' });
  const decision = judged({ run: 'run', settings, state: opened.state, at: first.at }, memory, new FixedStrategy(3));
  if (!decision) throw new Error('the judge is not asked');
  return decision;
}

test('T6 a round without feedback begins only where the budget has room for its call', () => {
  const next = new JudgeMemory('run', has.turnStarted().payload.settings, () => [], turnLoop).next;
  next.observe(has.turnStarted());
  const least = next.inputTokens + MIN_ANSWER_TOKENS;
  expect(decided(least)).toEqual({ action: 'continue', reason: 'the first step', evidence: [] });
  const limit = { name: 'tokens', used: 0, limit: least - 1, next: least };
  expect(decided(least - 1)).toMatchObject({ action: 'stop', sink: { ending: 'budget', limit } });
});
