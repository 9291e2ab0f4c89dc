import { describe, expect, test } from 'vitest';
import {
  buildContinuationPrompt,
  checkCompletionPromise,
  deactivateLoop,
  formatRalphState,
  getLoopStatusMessage,
  incrementIteration,
  initializeRalphWiggumLoop,
  parseRalphState,
  parseRalphWiggumConfig,
  shouldContinueLoop,
} from '../../src/ralph/index.ts';
import { PROMISE, STATE } from './state.ts';

// The 42 cases of the document that describes this loop, by its twelve categories. Where a case of its own only says
// what is written to a disk, the pure function says the same of the text.

const START = { originalPrompt: 'Do it.', sessionId: 'session-1', startedAt: '2025-12-31T00:00:00Z' };
const read = (text: string) => {
  const parsed = parseRalphState(text);
  return parsed.kind === 'state' ? parsed.state : null;
};

describe('label pattern matching', () => {
  test('R10 matches ralph-wiggum', () => expect(parseRalphWiggumConfig(['ralph-wiggum'])).not.toBeNull());
  test('R10 matches ralph-wiggum-10 and ralph-wiggum-5', () => {
    for (const label of ['ralph-wiggum-10', 'ralph-wiggum-5']) expect(parseRalphWiggumConfig([label])).not.toBeNull();
  });
  test('R10 matches in any letter case', () => {
    for (const label of ['Ralph-Wiggum', 'RALPH-WIGGUM-20']) expect(parseRalphWiggumConfig([label])).not.toBeNull();
  });
  test('R10 rejects ralph-wiggum-abc', () => expect(parseRalphWiggumConfig(['ralph-wiggum-abc'])).toBeNull());
  test('R10 rejects ralph', () => expect(parseRalphWiggumConfig(['ralph'])).toBeNull());
  test('R10 rejects wiggum', () => expect(parseRalphWiggumConfig(['wiggum'])).toBeNull());
});

describe('config parsing', () => {
  test('R10 is null without labels', () => expect(parseRalphWiggumConfig([])).toBeNull());
  test('R10 is null where no label matches', () => expect(parseRalphWiggumConfig(['bug', 'feature'])).toBeNull());
  test('R10 takes the number of the label as maximum', () =>
    expect(parseRalphWiggumConfig(['ralph-wiggum-20'])?.maxIterations).toBe(20));
  test('R10 finds the label among others', () =>
    expect(parseRalphWiggumConfig(['bug', 'ralph-wiggum-3', 'p1'])?.maxIterations).toBe(3));
  test('R10 takes the first of several', () =>
    expect(parseRalphWiggumConfig(['ralph-wiggum-3', 'ralph-wiggum-7'])?.maxIterations).toBe(3));
});

describe('default configuration', () => {
  const config = parseRalphWiggumConfig(['ralph-wiggum']);
  test('R10 is enabled', () => expect(config?.enabled).toBe(true));
  test('R10 has at most 10 iterations', () => expect(config?.maxIterations).toBe(10));
  test('R10 asks for the promise TASK COMPLETE', () => expect(config?.completionPromise).toBe('TASK COMPLETE'));
});

describe('state initialization', () => {
  const state = initializeRalphWiggumLoop({ maxIterations: 5, completionPromise: 'SHIPPED' }, START);
  test('R10 begins active, in iteration 1', () => expect(state).toMatchObject({ active: true, iteration: 1 }));
  test('R10 keeps the maximum and the promise of the config', () =>
    expect(state).toMatchObject({ maxIterations: 5, completionPromise: 'SHIPPED' }));
  test('R10 keeps the prompt, the session and the time; no promise is null', () => {
    expect(state).toMatchObject(START);
    expect(initializeRalphWiggumLoop({ maxIterations: 5 }, START).completionPromise).toBeNull();
  });
});

describe('state loading', () => {
  test('R10 an empty file has no state', () => expect(read('')).toBeNull());
  test('R10 reads a file as the document prints it', () => {
    const printed = `---
active: true
iteration: 1
max_iterations: 20
completion_promise: "TASK COMPLETE"
started_at: "2025-12-31T00:00:00Z"
linear_agent_session_id: "session-123"
---

Original prompt content here...`;
    expect(read(printed)).toEqual({
      active: true,
      iteration: 1,
      maxIterations: 20,
      completionPromise: 'TASK COMPLETE',
      startedAt: '2025-12-31T00:00:00Z',
      sessionId: 'session-123',
      originalPrompt: 'Original prompt content here...',
    });
  });
  test('R10 a damaged file has no state', () => expect(read('---\nactive: [\n---\nx')).toBeNull());
});

describe('state persistence', () => {
  test('R10 a state is preserved, also with a prompt of several lines', () => {
    const state = { ...STATE, originalPrompt: 'One\n\nTwo\n---\nThree: "x"\n' };
    expect(read(formatRalphState(state))).toEqual(state);
  });
  test('R10 a null promise is preserved', () => {
    const state = { ...STATE, completionPromise: null };
    expect(read(formatRalphState(state))).toEqual(state);
  });
});

test('R10 an increment changes the iteration and nothing else', () =>
  expect(incrementIteration(STATE)).toEqual({ ...STATE, iteration: 2 }));

test('R10 a deactivated state is not active, has its reason, and is preserved', () => {
  const state = deactivateLoop(STATE, 'stopped:\n"by hand"');
  expect(state).toEqual({ ...STATE, active: false, deactivatedReason: 'stopped:\n"by hand"' });
  expect(read(formatRalphState(state))).toEqual(state);
});

describe('completion promise detection', () => {
  const said = (answer: string) => checkCompletionPromise(answer, 'TASK COMPLETE');
  test('R10 detects the tag', () => expect(said(`Done. ${PROMISE}`)).toBe(true));
  test('R10 detects any letter case', () => expect(said('<promise>Task Complete</promise>')).toBe(true));
  test('R10 detects one of several tags', () => expect(said(`<promise>NO</promise> ${PROMISE}`)).toBe(true));
  test('R10 ignores white space in the tag', () => expect(said('<promise>  TASK COMPLETE\n</promise>')).toBe(true));
  test('R10 another phrase is no promise', () => expect(said('<promise>SOMETHING</promise>')).toBe(false));
  test('R10 without a tag, or without a configured promise, there is none', () => {
    expect(said('TASK COMPLETE')).toBe(false);
    expect(checkCompletionPromise(PROMISE, null)).toBe(false);
  });
});

describe('loop continuation', () => {
  test('R10 stops where the loop is not active', () =>
    expect(shouldContinueLoop({ ...STATE, active: false })).toEqual({
      shouldContinue: false,
      reason: 'loop is not active',
    }));
  test('R10 stops where the promise is given', () =>
    expect(shouldContinueLoop(STATE, PROMISE)).toEqual({ shouldContinue: false, reason: 'completion promise given' }));
  test('R10 stops at the maximum', () =>
    expect(shouldContinueLoop({ ...STATE, iteration: 10 }, 'Not yet.')).toEqual({
      shouldContinue: false,
      reason: 'max iterations reached (10/10)',
    }));
  test('R10 goes on otherwise', () => {
    const next = { shouldContinue: true, reason: 'iteration 9/10 is not the last' };
    expect(shouldContinueLoop({ ...STATE, iteration: 9 }, 'Not yet.')).toEqual(next);
    expect(shouldContinueLoop(STATE).shouldContinue).toBe(true);
  });
  test('R10 R3 a maximum of 0 is unlimited, under the ceiling', () => {
    const unlimited = { ...STATE, maxIterations: 0 };
    expect(shouldContinueLoop({ ...unlimited, iteration: 99 })).toMatchObject({ shouldContinue: true });
    const stopped = { shouldContinue: false, reason: 'ceiling reached (100/100)' };
    expect(shouldContinueLoop({ ...unlimited, iteration: 100 })).toEqual(stopped);
    expect(shouldContinueLoop({ ...STATE, maxIterations: 5000, iteration: 100 })).toEqual(stopped);
    expect(shouldContinueLoop({ ...unlimited, iteration: 7 }, '', 7)).toMatchObject({ shouldContinue: false });
  });
});

describe('continuation prompt', () => {
  test('R10 R5 names the loop and the iteration, with the maximum where there is one', () => {
    const second = { ...STATE, iteration: 2 };
    expect(buildContinuationPrompt(second)).toContain('# Ralph Wiggum Loop - Iteration 2/10\n');
    for (const maxIterations of [0, null]) {
      expect(buildContinuationPrompt({ ...second, maxIterations })).toContain('# Ralph Wiggum Loop - Iteration 2\n');
    }
  });
  test('R10 R5 has the original task, whole, and where the work so far is', () => {
    const originalPrompt = 'Line one\n\n  - line two\n';
    const prompt = buildContinuationPrompt({ ...STATE, iteration: 2, originalPrompt });
    expect(prompt).toContain(`## Original Task\n\n${originalPrompt}`);
    expect(prompt).toMatch(/modified files and in the git history/);
    expect(prompt).toContain('work that nothing has committed shows in `git status` and `git diff`');
  });
  test('R10 R5 has the exact promise with the warning, and neither where no promise is asked for', () => {
    const prompt = buildContinuationPrompt({ ...STATE, completionPromise: 'SHIPPED v2' });
    expect(prompt).toContain('`<promise>SHIPPED v2</promise>`');
    expect(prompt).toContain('Do NOT output a false promise to escape the loop.');
    const without = buildContinuationPrompt({ ...STATE, completionPromise: null });
    expect(without).not.toContain('promise');
    expect(without).toContain('## Instructions');
  });
});

describe('status messages', () => {
  const second = { ...STATE, iteration: 2 };
  test('R10 R6 started', () => expect(getLoopStatusMessage(STATE, 'started')).toBe('Ralph Wiggum loop started'));
  test('R10 R6 continuing', () => {
    expect(getLoopStatusMessage(second, 'continuing')).toBe('continuing to iteration 2/10');
    expect(getLoopStatusMessage({ ...second, maxIterations: 0 }, 'continuing')).toBe('continuing to iteration 2');
  });
  test('R10 R6 completed and stopped', () => {
    expect(getLoopStatusMessage(second, 'completed')).toBe('loop completed in iteration 2/10');
    expect(getLoopStatusMessage(second, 'stopped')).toBe('loop stopped in iteration 2/10');
    expect(getLoopStatusMessage(deactivateLoop(second, 'completion promise given'), 'completed')).toBe(
      'loop completed in iteration 2/10: completion promise given',
    );
    expect(getLoopStatusMessage(deactivateLoop(second, 'by hand'), 'stopped')).toBe(
      'loop stopped in iteration 2/10: by hand',
    );
  });
  test('R10 R6 max iterations reached', () =>
    expect(getLoopStatusMessage({ ...second, maxIterations: 2 }, 'max_iterations')).toBe(
      'max iterations reached (2/2)',
    ));
});

test('R5 the feedback of an iteration is in the prompt of the next, before the task', () => {
  const prompt = buildContinuationPrompt({
    ...STATE,
    iteration: 2,
    feedback: '2 of 5 checks fail:\nL1/test: 3 failed',
  });
  expect(prompt).toContain(
    '## Result of the previous iteration\n\n2 of 5 checks fail:\nL1/test: 3 failed\n\n## Original',
  );
  expect(buildContinuationPrompt({ ...STATE, feedback: ' ' })).not.toContain('Result of the previous');
});
