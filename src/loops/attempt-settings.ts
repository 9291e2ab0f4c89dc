import type { RunSettings } from '../../machines/settings.ts';
import { limitsWithin } from '../config/caps.ts';
import { CHILD_GRACE_HEAD_START_MS } from '../options/defaults.ts';
import type { ChildOf } from '../kernel/child-run.ts';
import { checksText } from './checks-text.ts';
import { remadeForAttempt } from './remade-notice.ts';

/**
 * The settings of one attempt: a turn with the task, the feedback on the last attempt, and its share of the budget.
 */
export function attemptSettings(of: ChildOf): RunSettings {
  const { settings, run, effect, iteration, limits, share, attemptLimits } = of;
  // Only the run at the top of a tree reports, and has an account of its thread.
  const {
    options: _ofItsLoop,
    webhooks: _ofTheRoot,
    thread: _itsAccount,
    proof: _ofItsChecks,
    images,
    ...shared
  } = settings;
  return {
    ...shared,
    loop: 'turn',
    prompt: attemptPrompt(of),
    // The run at the top of the tree keeps their content.
    ...(images ? { images: images.map(({ data: _kept, ...image }) => image) } : {}),
    limits: limitsWithin(attemptLimits, { ...limits, maxTokens: share.tokens, maxCostNanoUsd: share.nanoUsd }),
    attemptLimits: null,
    // The loop writes one summary of all attempts at its end.
    summaryTokens: 0,
    checks: [],
    strategy: null,
    graceMs: Math.max(0, settings.graceMs - CHILD_GRACE_HEAD_START_MS),
    parent: { run, effect, iteration },
  };
}

/** What people have added to the task, oldest first. */
export const steeringText = (steering: readonly string[]): string =>
  steering.map((text) => `\n\nSince then the person whose task this is has said:\n${text}`).join('');

function attemptPrompt({ settings, iteration, limits, feedback, steering, remade }: ChildOf): string {
  const words = steeringText(steering);
  const checks = checksText(settings);
  const task = `${settings.prompt}${words}${checks === null ? '' : `\n\n${checks}`}`;
  const said = feedback === null ? '' : `\n\n${feedback}`;
  if (iteration === 0) return `${task}${said}`;
  const place = limits.maxIterations === null ? `${iteration + 1}` : `${iteration + 1} of ${limits.maxIterations}`;
  const files = remade ? remadeForAttempt(remade) : 'The files are as the attempt before left them.';
  const about = `This is attempt ${place}. ${files}`;
  return `${task}\n\n${about}${said}`;
}
