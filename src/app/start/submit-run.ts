import { v7 as uuidv7 } from 'uuid';
import type { Json } from '../../log/envelope.ts';
import type { Log } from '../../log/log.ts';
import type { Redact } from '../../kernel/react.ts';
import { faultsOf, knownKeys } from '../../options/config-fault.ts';
import { assertNewId } from './new-run-id.ts';
import { OptionsError } from './options-error.ts';
import { SubmitOptions } from './submit-options.ts';

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
