import type { App } from '../../app/app.ts';
import type { RunState } from '../../kernel/fold.ts';
import { editedText } from '../../runtime/load-run.ts';
import { assertIntact } from '../../runtime/intact.ts';
import { usage } from './complaint.ts';
import { refusal } from './refusal-text.ts';

/**
 * The state of a run at a version, or now; closes the log. Throws a `Complaint` where it has no such state, and a
 * `LogError` where its history, or one below it, was changed.
 */
export async function rebuiltState(
  loops: App,
  run: string,
  version: number | undefined,
  warn: (message: string) => void,
): Promise<RunState> {
  await assertIntact(loops.log, run);
  const rebuilt = await loops.rebuild(run, version);
  await loops.log.close();
  if (rebuilt.kind === 'no_such_version') throw usage('--at', `a version from 1 to ${rebuilt.head}`, `${version}`);
  if (rebuilt.kind !== 'loaded') throw refusal(rebuilt, run);
  if (rebuilt.edited !== undefined) warn(editedText(run, rebuilt.edited));
  return rebuilt.state;
}
