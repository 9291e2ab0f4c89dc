import { type ParsedOptions, RunOptions } from '../../config/options.ts';
import type { Json } from '../../log/envelope.ts';
import { faultsOf, knownKeys } from '../../options/config-fault.ts';
import { OptionsError } from '../../app/start/options-error.ts';
import { SUBMITTED_CAPS, SubmittedTask } from '../../app/start/submit-run.ts';

/** The options that every run of a worker has: its agent, checks, model, commands and folder are never submitted. */
export type WorkerRun = Omit<RunOptions, 'prompt'>;

const keys = knownKeys(SubmittedTask);
const CAPS = RunOptions.pick(Object.fromEntries(SUBMITTED_CAPS.map((cap) => [cap, true])) as { maxTime: true });

/**
 * The options of a run that was submitted: those of the worker, with the task, its labels, and of each cap the smaller
 * one. Throws an `OptionsError` where this worker does not know such a task.
 */
export function optionsOf(own: WorkerRun, task: Json): RunOptions {
  const { prompt, labels, ...asked } = taskOf(task);
  const both = [...(own.labels ?? []), ...(labels ?? [])];
  const caps = SUBMITTED_CAPS.flatMap((cap) => {
    const smaller = smallerOf(own[cap], asked[cap], cap);
    return smaller === undefined ? [] : [[cap, smaller] as const];
  });
  return { ...own, ...Object.fromEntries(caps), prompt, ...(both.length === 0 ? {} : { labels: both }) };
}

/** A task as it was submitted. Throws an `OptionsError` where this worker does not know it. */
export function taskOf(task: Json): SubmittedTask {
  const parsed = SubmittedTask.safeParse(task);
  if (!parsed.success) throw new OptionsError(faultsOf(parsed.error, task, keys));
  return task as unknown as SubmittedTask;
}

type Cap = (typeof SUBMITTED_CAPS)[number];

/** As it was written. A cap that only one of them has counts, and `'none'` is above every other. */
export function smallerOf(own: RunOptions[Cap], asked: RunOptions[Cap], cap: Cap): RunOptions[Cap] {
  if (own === undefined || asked === undefined) return own ?? asked;
  return amountOf(cap, asked) < amountOf(cap, own) ? asked : own;
}

/** A cap in its own unit: tokens, or billionths of a US dollar. */
export function amountOf(cap: Cap, written: RunOptions[Cap]): number {
  const parsed = CAPS.safeParse({ [cap]: written });
  const amount = parsed.success ? (parsed.data as Pick<ParsedOptions, Cap>)[cap] : null;
  return amount ?? Number.POSITIVE_INFINITY;
}
