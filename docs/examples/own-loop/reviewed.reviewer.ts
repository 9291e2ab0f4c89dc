import { execFile } from 'node:child_process';
import type { EffectSpec, HandlerInput } from 'loopfold';
import { z } from 'zod';
import type { ReviewedEvent } from './reviewed.events.ts';
import type { ReviewedContext } from './reviewed.machine.ts';

/** The options of a reviewed loop, in addition to those of every loop. */
export const ReviewOptions = z.strictObject({
  /** The model that reviews. Default: the model of the attempts. */
  reviewer: z.string().optional(),
});

/** A review costs tokens: a lost one is recorded with the usage that it may have had, before another one starts. */
export const review: EffectSpec = {
  class: 'once',
  spends: true,
  answers: { 'review.given': 'review', 'review.failed': 'review', 'review.interrupted': 'review' },
  interrupted: (_, { reason, kept }) => ({
    type: 'review.interrupted',
    payload: { reason, ...(kept ? { usage: kept } : {}) },
  }),
};

/** Half of what the chart sets aside for a review, at four characters a token. */
const MAX_DIFF_CHARACTERS = 16_000;

const SYSTEM =
  'You review work. Answer APPROVED or REJECTED on the first line, and say on the second, in one sentence, why.';

/** Asks a model whether the changes do what the task asks for. */
export async function askReviewer(
  { ask, settings, context }: HandlerInput<ReviewedContext>,
  { signal }: { readonly signal: AbortSignal },
): Promise<ReviewedEvent> {
  const { reviewer } = ReviewOptions.parse(settings.options ?? {});
  const diff = await changes(settings.directory, context.workspace, signal);
  const said = await ask({
    system: SYSTEM,
    prompt: `The task:\n${settings.prompt}\n\nWhat was changed:\n${diff}`,
    ...(reviewer === undefined ? {} : { model: reviewer }),
  });
  switch (said.kind) {
    case 'answered':
      return { type: 'review.given', payload: { ...verdictIn(said.text), usage: said.usage } };
    case 'failed':
      return { type: 'review.failed', payload: { fault: said.fault, usage: said.usage } };
    case 'interrupted':
      return { type: 'review.interrupted', payload: { reason: 'told to stop', usage: said.usage } };
  }
}

/** A review approves only if its first line says so. */
function verdictIn(text: string): { readonly approved: boolean; readonly remark: string } {
  const [first = '', ...rest] = text.trim().split('\n');
  return { approved: /^\W*approved\b/i.test(first), remark: rest.join('\n').trim() || first };
}

/** The changes since the last commit; where there is none, the whole workspace. */
async function changes(directory: string, workspace: string | null, signal: AbortSignal): Promise<string> {
  if (workspace === null) return '(unknown: the workspace is in no git repository)';
  const diff =
    (await gitDiff(directory, ['HEAD', workspace], signal)) ??
    (await gitDiff(directory, [EMPTY_TREE, workspace], signal));
  return (diff ?? '').slice(0, MAX_DIFF_CHARACTERS) || '(nothing)';
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const gitDiff = (cwd: string, trees: readonly string[], signal: AbortSignal): Promise<string | null> =>
  new Promise((resolve) => {
    const diff = ['diff', '--no-ext-diff', '--no-textconv', ...trees];
    execFile('git', diff, { cwd, signal, maxBuffer: 64_000_000 }, (error, stdout) => resolve(error ? null : stdout));
  });
