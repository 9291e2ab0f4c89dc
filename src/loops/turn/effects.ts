import type { Effect } from '../shared/effect.ts';
import { sharedEffects } from '../shared-effects.ts';
import { admission } from './effects/admit-calls.ts';
import { serverQuestion } from './effects/ask-for-server.ts';
import { delegation, question, toolCall } from './effects/run-tool.ts';
import { modelAnswer } from './effects/stream-model.ts';

/** The effects of a turn. */
export const turnEffects = {
  ...sharedEffects,
  streamModel: modelAnswer,
  admitCalls: admission,
  runTool: toolCall,
  askPerson: question,
  askForServer: serverQuestion,
  runAgent: delegation,
} as const satisfies Readonly<Record<string, Effect>>;
