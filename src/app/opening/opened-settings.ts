import { isAgentModel } from '../../../machines/agent-model.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { descriptionLength } from '../../actors/model/token-estimate.ts';
import type { ToolSpec } from '../../actors/tool-spec.ts';
import type { Clock } from '../../actors/timer/clock.ts';
import { isCoder } from '../../config/agents/coder.ts';
import { CODER_VERSION, coderPrompt } from '../../prompt/coder-prompt.ts';
import { coderSubject } from '../../prompt/coder-subject.ts';
import { placeAndTimeOf } from './place-and-time.ts';

/** What of a new run decides about its system prompt, beside its settings. */
export interface Opening {
  /** Its checks are to run in a clean checkout. */
  readonly isProven: boolean;
  readonly clock: Clock;
  /** Tools that every run with tools has, beside those that it names. */
  readonly offeredTools: readonly string[];
  readonly toolSpecs: (names: readonly string[]) => readonly ToolSpec[];
}

/**
 * The settings of a new run, with how long the descriptions of its tools are, and with the built-in system prompt where
 * its agent is the one that ships and no other prompt is given. Both are recorded with them: no later day, branch or
 * version of the program says anything else.
 */
export async function openedSettings(
  given: RunSettings,
  { isProven, clock, offeredTools, toolSpecs }: Opening,
): Promise<RunSettings> {
  // An agent of others has tools of its own.
  const hasOurs = given.tools.length > 0 && !isAgentModel(given.model);
  const tools = hasOurs ? [...new Set([...given.tools, ...offeredTools])] : given.tools;
  const settings = { ...given, tools, toolCharacters: descriptionLength(toolSpecs(tools)) };
  if (settings.system !== null || !isCoder(settings.agent)) return settings;
  const subject = coderSubject(settings, isProven, await placeAndTimeOf(settings, clock));
  return { ...settings, system: coderPrompt(subject), systemVersion: CODER_VERSION };
}
