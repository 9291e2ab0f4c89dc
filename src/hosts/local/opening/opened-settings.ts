import type { RunSettings } from '../../../../machines/settings.ts';
import type { Clock } from '../../../actors/timer/clock.ts';
import { isCoder } from '../../../config/agents/coder.ts';
import { CODER_VERSION, coderPrompt } from '../../../prompt/coder-prompt.ts';
import { coderSubject } from '../../../prompt/coder-subject.ts';
import { placeAndTimeOf } from './place-and-time.ts';

/** What of a new run decides about its system prompt, beside its settings. */
export interface Opening {
  /** Its checks are to run in a clean checkout. */
  readonly isProven: boolean;
  readonly clock: Clock;
}

/**
 * The settings of a new run, with the built-in system prompt where its agent is the one that ships and no other prompt
 * is given. It is recorded with them, so that no later day, branch or version of the program says anything else.
 */
export async function openedSettings(settings: RunSettings, { isProven, clock }: Opening): Promise<RunSettings> {
  if (settings.system !== null || !isCoder(settings.agent)) return settings;
  const subject = coderSubject(settings, isProven, await placeAndTimeOf(settings, clock));
  return { ...settings, system: coderPrompt(subject), systemVersion: CODER_VERSION };
}
