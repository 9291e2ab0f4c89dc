import { expect, test } from 'vitest';
import { NO_SPEND } from '../../machines/outcome.ts';
import { nextCommands } from '../../src/cli/pages/next-commands.ts';
import { ralphLoop } from '../../src/loops/ralph/definition.ts';

const LIMITS = { maxSteps: null, maxToolCalls: null, maxTokens: null, maxIterations: 6, maxTimeMs: null };

/** The first command that is offered after a Ralph loop with the strategy hybrid has met a number of iterations. */
function offeredAfter(limit: number): readonly string[] | undefined {
  const outcome = { ending: 'cap_hit', limit: { name: 'iterations', used: limit, limit } } as const;
  const ending = { version: 1, at: '', outcome, reason: '', evidence: [] };
  const ended = { limits: LIMITS, ending, iterations: [], strategy: 'hybrid', paused: false, spend: NO_SPEND };
  return nextCommands('0123456789', ended, ralphLoop)[0];
}

test('R4 after the maximum of a Ralph loop a larger one is offered, with the strategy that it has', () => {
  expect(offeredAfter(6)).toEqual(['extend', '23456789', '--max-iterations', '12']);
});

test('R4 after the cap of the strategy itself another strategy is offered, too', () => {
  expect(offeredAfter(3)).toEqual(['extend', '23456789', '--strategy', 'fixed', '--max-iterations', '6']);
});
