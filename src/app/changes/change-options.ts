import { z } from 'zod';
import { faultsOf } from '../../options/config-fault.ts';
import { knownKeys } from '../../options/known-keys.ts';
import type { BringOptions } from './brought-change.ts';
import { OptionsError } from '../start/options-error.ts';
import type { DiffOptions } from './run-change.ts';

// A program without types could mistype `check`, and `undo` would write files that it was only asked about.

const STATE = "'start', 'end', or a version of the run's log";
const ROUND = 'a round, from 1';
const BOOLEAN = 'true or false';

const State = z.union([z.int().nonnegative(), z.enum(['start', 'end'])], { error: STATE }).optional();

const KnownDiff = z
  .strictObject(
    {
      at: State,
      to: z
        .strictObject({ run: z.string({ error: 'the id of a run' }), at: State }, { error: '{ run, at }' })
        .optional(),
      round: z.int({ error: ROUND }).min(1, { error: ROUND }).optional(),
    } satisfies { readonly [option in keyof Required<DiffOptions>]: z.ZodType },
    { error: '{ at, to, round }' },
  )
  .refine(({ at, to, round }) => round === undefined || (at === undefined && to === undefined), {
    path: ['round'],
    error: 'no round beside at and to: a round has its own two states',
  });

const KnownBring = z.strictObject(
  {
    check: z.boolean({ error: BOOLEAN }).optional(),
    force: z.boolean({ error: BOOLEAN }).optional(),
  } satisfies { readonly [option in keyof Required<BringOptions>]: z.ZodType },
  { error: '{ check, force }' },
);

/** Throws an `OptionsError` that names each option of `diff` that is unknown or invalid. */
export const assertDiffOptions = (options: unknown): void => assertKnown(KnownDiff, options);

/** Throws an `OptionsError` that names each option of `apply` and `undo` that is unknown or invalid. */
export const assertBringOptions = (options: unknown): void => assertKnown(KnownBring, options);

function assertKnown(schema: z.ZodType, options: unknown): void {
  const parsed = schema.safeParse(options);
  if (parsed.success) return;
  // No flag has these names.
  throw new OptionsError(faultsOf(parsed.error, options, knownKeys(schema)).map((fault) => ({ ...fault, flag: null })));
}
