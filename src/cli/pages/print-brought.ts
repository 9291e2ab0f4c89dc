import type { BroughtChange, WorkspaceHeld } from '../../app/changes/brought-change.ts';
import type { NoChange } from '../../app/changes/run-change.ts';
import type { Session } from '../session.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { asJson } from './as-json.ts';
import { afterBringing, broughtLines, broughtSummary } from './brought-page.ts';
import { noChange } from './no-change.ts';

const STATUS: { readonly [kind in BroughtChange['kind']]: number } = {
  done: EXIT.success,
  nothing: EXIT.success,
  // The workspace has changed since: the run is as good as before.
  conflict: EXIT.environment,
  // As a run that is finished in part.
  partial: EXIT.unverified,
};

/** Prints what `apply` or `undo` did. Returns the exit status. */
export function printBrought(
  session: Session,
  verb: 'apply' | 'undo',
  result: BroughtChange | NoChange | WorkspaceHeld,
  { check = false, json = false }: { readonly check?: boolean; readonly json?: boolean },
): number {
  if (result.kind === 'unknown_run' || result.kind === 'is_child') throw noChange(verb, result);
  if (result.kind === 'no_capture' || result.kind === 'held') throw noChange(verb, result);
  const { out, err } = session.streams;
  const next = afterBringing(verb, result, check).map((words) => session.again(words));
  if (json) out.line(asJson({ ...result, check, next }, 2));
  else {
    for (const line of broughtLines(result, check)) out.line(line);
    for (const line of broughtSummary(verb, result, check)) err.line(line);
    for (const command of next) err.line(`${err.colours.dim('next')}  ${command}`);
  }
  return STATUS[result.kind];
}
