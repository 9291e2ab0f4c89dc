import type { RunChange } from '../../app/changes/run-change.ts';
import { findRun } from '../args/find-run.ts';
import { runSide } from '../args/run-side.ts';
import { wholeNumber } from '../args/whole-number.ts';
import { asJson } from '../pages/as-json.ts';
import { sideLines, statLines } from '../pages/change-page.ts';
import { usage } from '../pages/complaint.ts';
import { noChange, printPatch } from '../pages/print-patch.ts';
import { patchLines, patchText } from '../pages/patch-text.ts';
import type { Session } from '../session.ts';

export interface DiffFlags {
  readonly last?: boolean;
  readonly iteration?: string;
  readonly stat?: boolean;
  readonly json?: boolean;
}

/** Shows what a run has changed, or the difference of two states. */
export async function diff(
  session: Session,
  first: string | undefined,
  second: string | undefined,
  flags: DiffFlags,
): Promise<number> {
  const { last = false, iteration } = flags;
  if (iteration !== undefined && second !== undefined) throw usage('RUN', 'one run with --iteration', 'two');
  const from = runSide(first, last);
  if (iteration !== undefined && from.at !== undefined)
    throw usage('RUN', 'a run without @STATE with --iteration', `'${first}'`);
  const to = second === undefined ? null : runSide(second, false);
  const round = iteration === undefined ? undefined : wholeNumber('--iteration', iteration);
  const loops = await session.loops('read', { runs: [from.reference], otherwise: 'warn' });
  const { run } = await findRun(loops.log, from.reference);
  const other = to && (await findRun(loops.log, to.reference));
  const change = await loops.diff(run, {
    at: from.at,
    ...(to && other ? { to: { run: other.run, at: to.at } } : {}),
    ...(round === undefined ? {} : { round }),
  });
  await loops.log.close();
  if (change.kind !== 'change') throw noChange('diff', change);
  return print(session, change, flags);
}

async function print({ streams }: Session, change: RunChange, { stat, json }: DiffFlags): Promise<number> {
  const { out, err } = streams;
  if (json) {
    const { run, from, to, files, uncaptured, leftOut, deciding } = change;
    const patch = stat ? {} : { patch: await patchText(change.patch()) };
    out.line(asJson({ run, from, to, files, uncaptured, leftOut, deciding, ...patch }, 2));
    return 0;
  }
  for (const line of sideLines(change)) err.line(err.colours.dim(line));
  if (stat) for (const line of statLines(change.files)) out.line(line);
  else if (out.isTerminal) {
    const { shown, more } = await patchLines(change.patch(true), out.colours);
    for (const line of shown) out.line(line);
    if (more > 0) err.line(`${more} more lines: pipe it, as in | less`);
  } else await printPatch(out, change);
  return 0;
}
