import type { Usage } from '../../../machines/events.ts';
import type { EffectCall } from '../actor.ts';
import { askForText } from './ask-for-text.ts';
import type { Said } from './ask-within.ts';
import { addedUsage, lessUsed } from './lost-usage.ts';
import type { Model, ModelRequest } from './model.ts';
import { MODEL_TIMEOUT_MS, type ModelActorOptions, pause } from './model-actor.ts';
import type { Allowance } from './purse.ts';

/** How often one thing is asked for where the provider fails. */
const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 1_000;
const MAY_PASS = new Set(['provider_unavailable', 'rate_limited', 'model_timed_out']);

export type AskOptions = Pick<ModelActorOptions, 'timeoutMs' | 'sleep'>;

interface Question {
  readonly request: ModelRequest;
  readonly allowance: Allowance;
  /** What tries before these may have used of the allowance. */
  readonly before: Usage;
}

/**
 * Asks a model one thing, again where a failure may pass, all within one allowance. The usage is of all tries together.
 */
export async function askAgain(
  model: Model,
  { request, allowance, before }: Question,
  call: EffectCall,
  { timeoutMs = MODEL_TIMEOUT_MS, sleep = pause }: AskOptions,
): Promise<Said> {
  let used = before;
  for (let tried = 1; ; tried += 1) {
    const said = await askForText(model, request, { allowance: lessUsed(allowance, used), timeoutMs }, call);
    used = addedUsage(used, said.usage);
    if (said.kind !== 'failed' || tried === MAX_TRIES || !MAY_PASS.has(said.fault.code))
      return { ...said, usage: used };
    await sleep(FIRST_PAUSE_MS * 2 ** (tried - 1), call.signal);
  }
}
