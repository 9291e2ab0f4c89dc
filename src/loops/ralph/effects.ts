import type { AnyEvent } from '../../../machines/events.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { EffectSpec, Interruption } from '../../kernel/effect-spec.ts';
import type { Outstanding } from '../../kernel/fold.ts';
import { attempt } from '../attempt-loop.ts';
import { sharedEffects } from '../shared-effects.ts';
import { weighMaximum } from './growth.ts';
import { ralphAttempt } from './attempt-prompt.ts';
import { ralphOptionsOf } from './memory.ts';

/** The key under which the chart waits for the file. A look at it in the middle of an attempt is not waited for. */
const FILE = 'stateFile';

/** Reading and writing again does no harm: what is written depends on the log alone. */
const stateFile: EffectSpec = {
  class: 'repeatable',
  interrupted: ({ key }: Outstanding, { reason }: Interruption): AnyEvent | null =>
    key === FILE ? { type: 'state_file.interrupted', payload: { reason } } : null,
};

const continuesConversation = (settings: RunSettings): boolean => ralphOptionsOf(settings).context === 'continue';

/** The effects of a Ralph loop. */
export const ralphEffects: Readonly<Record<string, EffectSpec>> = {
  ...sharedEffects,
  runAgent: { ...attempt, opens: ralphAttempt, continues: continuesConversation },
  writeStateFile: stateFile,
  readStateFile: stateFile,
  closeStateFile: stateFile,
  askPerson: {
    class: 'repeatable',
    asksPerson: true,
    interrupted: (_, { reason }) => ({ type: 'edit.withdrawn', payload: { reason } }),
  },
  weighMaximum: { class: 'repeatable', interrupted: null, decide: weighMaximum },
};
