import type { RunSettings } from '../../../machines/settings.ts';
import type { ChildOf } from '../../kernel/child-run.ts';
import { buildContinuationPrompt, howToComplete } from '../../ralph/continuation-prompt.ts';
import { attemptSettings, steeringText } from '../attempt-settings.ts';
import { checksText } from '../checks-text.ts';
import { remadeForAttempt } from '../remade-notice.ts';
import type { RalphMemory } from './memory.ts';

/** The settings of an attempt: a turn with the task as people have it now, and with how to say that it is done. */
export const ralphAttempt = (of: ChildOf): RunSettings => ({ ...attemptSettings(of), prompt: ralphPrompt(of) });

/** The first prompt is the task, and how to complete it; a later one says where the loop is, and what came of it. */
function ralphPrompt({ settings, memory, iteration, feedback, steering, remade }: ChildOf): string {
  const { prompt, promise, ahead, maximum } = memory as RalphMemory;
  const checks = checksText(settings);
  const task = `${prompt}${steeringText(steering)}${checks === null ? '' : `\n\n${checks}`}`;
  const said = feedback === null ? '' : `\n\n${feedback}`;
  if (iteration === 0) return promise === null ? `${task}${said}` : `${task}${said}\n\n${howToComplete(promise)}`;
  return buildContinuationPrompt({
    iteration: Math.max(1, iteration + 1 + ahead),
    maxIterations: maximum,
    originalPrompt: task,
    completionPromise: promise,
    feedback: [...(remade ? [remadeForAttempt(remade)] : []), feedback ?? ''].join('\n\n'),
  });
}
