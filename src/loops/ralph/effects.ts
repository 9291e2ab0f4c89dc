import type { RunSettings } from '../../../machines/settings.ts';
import type { Effect } from '../shared/effect.ts';
import { askPerson } from '../shared/effects/ask-person.ts';
import { attempt } from '../shared/effects/run-child.ts';
import { sharedEffects } from '../shared-effects.ts';
import { weighMaximum } from './growth.ts';
import { fileClosing, fileReading, fileWriting } from './effects/keep-state-file.ts';
import { type RalphMemory, ralphOptionsOf } from './memory.ts';
import type { ChildOf } from '../../kernel/effect-spec.ts';
import { buildContinuationPrompt, howToComplete } from '../../ralph/continuation-prompt.ts';
import { attemptSettings, steeringText } from '../attempt-settings.ts';
import { checksText } from '../checks-text.ts';
import { remadeForAttempt } from '../remade-notice.ts';

const continuesConversation = (settings: RunSettings): boolean => ralphOptionsOf(settings).context === 'continue';

/** The effects of a Ralph loop. */
export const ralphEffects: Readonly<Record<string, Effect>> = {
  ...sharedEffects,
  runAgent: { ...attempt, opens: ralphAttempt, continues: continuesConversation },
  writeStateFile: fileWriting,
  readStateFile: fileReading,
  closeStateFile: fileClosing,
  askPerson: {
    class: 'repeatable',
    asksPerson: true,
    interrupted: (_, { reason }) => ({ type: 'edit.withdrawn', payload: { reason } }),
    handler: askPerson,
  },
  weighMaximum: { class: 'repeatable', interrupted: null, decide: weighMaximum },
};

/** The settings of an attempt: a turn with the task as people have it now, and with how to say that it is done. */
function ralphAttempt(of: ChildOf): RunSettings {
  return { ...attemptSettings(of), prompt: ralphPrompt(of) };
}

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
