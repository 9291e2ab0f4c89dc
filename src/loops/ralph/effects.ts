import type { RunSettings } from '../../../machines/settings.ts';
import type { Effect } from '../shared/effect.ts';
import { askPerson } from '../shared/effects/ask-person.ts';
import { attempt } from '../shared/effects/run-child.ts';
import { sharedEffects } from '../shared-effects.ts';
import { weighMaximum } from './growth.ts';
import { ralphAttempt } from './attempt-prompt.ts';
import { fileClosing, fileReading, fileWriting } from './effects/keep-state-file.ts';
import { ralphOptionsOf } from './memory.ts';

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
