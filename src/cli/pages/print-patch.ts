import { obstacleOf } from '../../app/running/obstacle.ts';
import type { RunChange, NoChange } from '../../app/changes/run-change.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { writeNew } from '../terminal/new-file.ts';
import type { Output } from '../terminal/output.ts';
import { Complaint, usage } from './complaint.ts';
import type { WorkspaceHeld } from '../../app/changes/apply-change.ts';
import { processOf } from '../../projections/phrases.ts';
import { shortId } from '../args/find-run.ts';

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

/** Why there is no change to show, to bring or to take back, and what to do. */
export function noChange(verb: string, result: NoChange | WorkspaceHeld): Complaint {
  switch (result.kind) {
    case 'unknown_run':
      return usage('RUN', 'the id of a run in this log', `'${result.run}'`, ['runs']);
    case 'is_child':
      return usage('RUN', 'a run of its own: the changes of a child belong to its root', result.run, [
        verb,
        shortId(result.root),
      ]);
    case 'no_capture':
      return new Complaint(
        EXIT.environment,
        `run ${result.run}: ${result.message}.`,
        result.remedy ? [result.remedy] : ['show', shortId(result.run)],
      );
    case 'held':
      if (result.isBringing)
        return new Complaint(
          EXIT.held,
          `${processOf(result.by)} brings the change of run ${result.run} into this workspace, or takes it out: ` +
            'try again when that is done',
        );
      return new Complaint(
        EXIT.held,
        `run ${result.run} works in this workspace, in ${processOf(result.by)}: wait until it has ended, or abort it`,
        ['abort', shortId(result.run)],
      );
  }
}
