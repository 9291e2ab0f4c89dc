import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MODEL, Program, project, resultIn } from '../cli/program.ts';

const QUESTION = { tool: 'ask_user', arguments: { question: 'Which number?' } };
const ISOLATED = ['--label', 'ralph-wiggum', '--isolate', 'worktree', '--verify', 'true', '--output-format', 'json'];

test('R4 of two processes that start isolated loops in one folder, one keeps the state file', async () => {
  // Given an agent that asks, so that its run does not end
  const cwd = await project({ attempts: [{ answers: [{ calls: [QUESTION] }] }] });
  // When two processes start such a run
  const both = await Promise.all(
    [1, 2].map(() => new Program(['run', 'Write a number.', ...MODEL, ...ISOLATED], { cwd }).ended),
  );
  // Then one waits for its answer, and the other has begun nothing and says what can be done
  const [first, second] = both.toSorted((one, other) => (other.status ?? 0) - (one.status ?? 0));
  expect([first?.status, second?.status]).toEqual([14, 6]);
  expect(second?.stderr).toMatch(/ralph-loop\.local\.md .*which has not ended.*\(-C\).*--strategy ralph/s);
  expect(second?.stderr).toContain(first && resultIn(first).run);
  const worktrees = await readdir(join(cwd, '.loopfold/worktrees'));
  expect(worktrees.filter((name) => !name.includes('.'))).toHaveLength(1);
});
