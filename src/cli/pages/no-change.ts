import type { WorkspaceHeld } from '../../app/changes/brought-change.ts';
import type { NoChange } from '../../app/changes/run-change.ts';
import { processOf } from '../../projections/phrases.ts';
import { shortId } from '../args/find-run.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { Complaint, usage } from './complaint.ts';

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
