import { obstacleOf } from '../../app/running/obstacle.ts';
import type { RunChange } from '../../app/changes/run-change.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { writeNew } from '../terminal/new-file.ts';
import type { Output } from '../terminal/output.ts';
import { Complaint, usage } from './complaint.ts';

/** The system names the file that was not yet the one that is asked for. */
const NAMED_DRAFT = /, \w+ '.*\.draft'$/s;

type Patched = Pick<RunChange, 'patch'>;

/** Prints the patch of a change as git does. What was printed before git failed is said not to be the whole. */
export async function printPatch(out: Output, { patch }: Patched): Promise<void> {
  await out.bytes(patch()).catch((error: unknown) => {
    throw gitFailed(error) ? failed('the patch on stdout is not whole, and must not be applied', error) : error;
  });
}

/** Writes the patch of a change into a new file: the whole of it or nothing. */
export async function writePatch(path: string, { patch }: Patched): Promise<void> {
  const made = await writeNew(path, patch()).catch((error: unknown) => {
    throw failed(gitFailed(error) ? `${path} was not written` : `${path} cannot be written`, error);
  });
  if (made === 'exists') throw usage('--patch', 'a file that does not exist yet, or - for stdout', `'${path}'`);
}

const gitFailed = (error: unknown): boolean => obstacleOf(error) === 'environment';

function failed(what: string, cause: unknown): Complaint {
  const why = cause instanceof Error ? cause.message.replace(NAMED_DRAFT, '') : String(cause);
  return new Complaint(EXIT.environment, `${what}: ${why}`, null, { cause });
}
