import { promiseText } from './completion-promise.ts';
import { iterationOf } from './maximum.ts';

/** What a continuation prompt is made of. A `RalphState` is one. */
export interface Continuation {
  /** The iteration that begins, from 1. */
  readonly iteration: number;
  /** Null or 0: no maximum. */
  readonly maxIterations: number | null;
  readonly originalPrompt: string;
  /** Null: the agent is not asked for a promise. */
  readonly completionPromise: string | null;
  /** What came of the iteration before: files changed, failing checks. */
  readonly feedback?: string;
}

/**
 * The prompt of every iteration but the first. It names the loop and the iteration, and has the original task, where to
 * find what was done so far, and the exact promise.
 *
 * The promise stands in a code span inside a sentence: an agent that repeats this prompt has promised nothing
 * (`checkCompletionPromise`).
 *
 * @example
 * const loop = { iteration: 2, maxIterations: 10, originalPrompt: task, completionPromise: 'TASK COMPLETE' };
 * buildContinuationPrompt(loop);
 */
export function buildContinuationPrompt(loop: Continuation): string {
  const { iteration, maxIterations, originalPrompt, completionPromise, feedback = '' } = loop;
  const sections = [
    `# Ralph Wiggum Loop - Iteration ${iterationOf(iteration, maxIterations)}`,
    `You are in a Ralph Wiggum self-referential development loop. This is iteration ${iteration}.`,
    '## Context',
    CONTEXT,
    ...(feedback.trim() === '' ? [] : ['## Result of the previous iteration', feedback.trim()]),
    '## Original Task',
    originalPrompt,
    ...(completionPromise === null ? [] : ['## Completion', howToComplete(completionPromise)]),
    '## Instructions',
    instructions(completionPromise),
  ];
  return `${sections.join('\n\n')}\n`;
}

/**
 * How the agent says that the task is complete, for a prompt.
 *
 * @example
 * `${task}\n\n${howToComplete('TASK COMPLETE')}`;
 */
export const howToComplete = (completionPromise: string): string =>
  `To complete this loop, output this EXACT text when the task is genuinely complete: \`${promiseText(completionPromise)}\`

It counts only ${PROMISE_PLACE}.

IMPORTANT: Only output this promise when the task is TRULY complete. Do NOT output a false promise to escape the loop.`;

/** Where the promise has to stand: the rule of `checkCompletionPromise` as an agent is told of it. */
export const PROMISE_PLACE =
  'as the last line of your answer, alone on that line, after an empty line: nothing follows it, and the text before it does not end with a colon';

const CONTEXT =
  'Your previous work is visible in the modified files and in the git history, where it was committed: work that nothing has committed shows in `git status` and `git diff`. Review what you accomplished in the previous iteration, and continue working on the task.';

function instructions(completionPromise: string | null): string {
  const last =
    completionPromise === null
      ? 'Stop when there is nothing left to do: the checks decide whether the task is complete'
      : 'Output the completion promise ONLY when the task is genuinely done';
  return [
    'Review your previous work in the files, with `git status` and `git diff`, and in the git log where it was committed',
    'Continue working on the task',
    'Make incremental progress in each iteration',
    last,
  ]
    .map((line, index) => `${index + 1}. ${line}`)
    .join('\n');
}
