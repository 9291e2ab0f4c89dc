import { v7 as uuidv7 } from 'uuid';
import type { Json } from '../../log/envelope.ts';
import type { Log } from '../../log/log.ts';
import type { Redact } from '../../kernel/react.ts';
import { faultsOf, knownKeys } from '../../options/config-fault.ts';
import { assertNewId } from './startable-run.ts';
import { OptionsError } from './options-error.ts';
import { z } from 'zod';
import { RunOptions } from '../../config/options.ts';
import { RemoteAddress } from '../../git/remote/remote-address.ts';
import { MAX_LIMIT_KEY_CHARACTERS } from '../../log/queue-store.ts';

/** The caps that a submission may choose. */
export const SUBMITTED_CAPS = ['maxIterations', 'maxSteps', 'maxToolCalls', 'maxTokens', 'maxTime', 'maxCost'] as const;

const KEY = `a name of 1 to ${MAX_LIMIT_KEY_CHARACTERS} characters`;
const AT_ONCE = 'a whole number of runs, 1 or more';
const START = 'a time such as 2026-03-01T12:00:00Z';

const { prompt, labels, ...options } = RunOptions.shape;

const COMMIT = 'a commit, a branch or a tag, such as main';
const BRANCH = 'the name of a branch, such as fix/parser';
const MAX_NAME_CHARACTERS = 200;
/** As git allows names of branches, and no option. */
const NAME = /^(?!-)(?!.*(?:\.\.|@\{|\/\/|\.lock$|\.$|\/$))[\w./@+-]+$/;

/**
 * What a worker is told of a run: its task, its caps and its labels, and perhaps a repository to work in. Everything
 * else is the worker's own.
 */
export const SubmittedTask = z.strictObject({
  prompt,
  labels,
  /** The address of a repository, which a worker has to be allowed to work in. Absent: the folder of the worker. */
  repository: RemoteAddress.optional(),
  /** Where the work begins. Absent: with the branch that the repository names first. */
  commit: z
    .string({ error: COMMIT })
    .max(MAX_NAME_CHARACTERS, { error: COMMIT })
    .regex(NAME, { error: COMMIT })
    .optional(),
  /** A new branch of the repository that gets the change of a run that ended in success. */
  branch: z
    .string({ error: BRANCH })
    .max(MAX_NAME_CHARACTERS, { error: BRANCH })
    .regex(NAME, { error: BRANCH })
    .optional(),
  maxIterations: options.maxIterations,
  maxSteps: options.maxSteps,
  maxToolCalls: options.maxToolCalls,
  maxTokens: options.maxTokens,
  maxTime: options.maxTime,
  maxCost: options.maxCost,
});
export type SubmittedTask = z.input<typeof SubmittedTask>;

/**
 * The options of a submission: a task, and when a worker may begin with it. Of one key at most `atOnce` runs are worked
 * on at the same time, 1 unless it says another number. `notBefore` is a time of RFC 3339.
 */
export const SubmitOptions = SubmittedTask.extend({
  key: z.string({ error: KEY }).min(1, { error: KEY }).max(MAX_LIMIT_KEY_CHARACTERS, { error: KEY }).optional(),
  atOnce: z.int({ error: AT_ONCE }).min(1, { error: AT_ONCE }).optional(),
  notBefore: z.iso.datetime({ offset: true, error: START }).optional(),
})
  .refine(({ key, atOnce }) => atOnce === undefined || key !== undefined, {
    error: 'a key beside atOnce',
    path: ['key'],
  })
  .refine(({ repository, commit, branch }) => repository !== undefined || (commit ?? branch) === undefined, {
    error: 'a repository beside commit and branch',
    path: ['repository'],
  });
export type SubmitOptions = z.input<typeof SubmitOptions>;

/** A run that waits for a worker under this id. */
export interface SubmittedRun {
  readonly run: string;
  /** False: a run, or a submission, had this id already. */
  readonly isNew: boolean;
}

const keys = knownKeys(SubmitOptions);

/**
 * Records a run without owning it. Its secrets are taken out before. `named`: its id, a UUIDv7, so that the same
 * submission delivered twice is one run. Throws an `OptionsError`.
 */
export async function submitRun(
  { log, redact }: { readonly log: Log; readonly redact: Redact },
  options: SubmitOptions,
  named: string = uuidv7(),
): Promise<SubmittedRun> {
  const parsed = SubmitOptions.safeParse(options);
  if (!parsed.success) throw new OptionsError(faultsOf(parsed.error, options, keys));
  const { key, atOnce, notBefore, ...task } = options;
  if (await log.run(named)) return { run: named, isNew: false };
  await assertNewId({ log }, named);
  const written: Json = redact(JSON.parse(JSON.stringify(task)) as Json);
  const isNew = await log.submit({
    run: named,
    task: written,
    limit: key === undefined ? null : { key, atOnce: atOnce ?? 1 },
    notBefore: notBefore === undefined ? null : new Date(notBefore).toISOString(),
  });
  return { run: named, isNew };
}
