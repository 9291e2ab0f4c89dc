import { z } from 'zod';
import type { CatalogueEntry } from '../../machines/index.ts';
import type { RunState } from '../runtime/fold.ts';
import type { Told } from './recording.ts';

/** Which machine folds it has to be said even where nobody here knows that machine. */
const Opening = z.looseObject({ payload: z.looseObject({ machine: z.string() }) });

/** Why an event from a file does not carry what such an event does. A later program may have more to say in it. */
export function misfitOf({ type, payload }: Told, before: RunState | null, machines: readonly CatalogueEntry[]): string | null {
  const entry = before?.entry ?? machines.find(({ id }) => id === Opening.safeParse({ payload }).data?.payload.machine);
  const { error } = (entry?.events ?? Opening).safeParse({ type, payload });
  const issue = error?.issues.find(({ code, path: [member] }) => member === 'payload' && code !== 'unrecognized_keys');
  return issue ? `${issue.path.join('.')}: ${issue.message}` : null;
}
