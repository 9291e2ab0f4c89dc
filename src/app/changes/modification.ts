import type { Log } from '../../log/log.ts';
import type { CodeModification, RecordedModification } from '../../loops/improvement/history/iteration-result.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import { callOf } from '../../actors/capture-repository.ts';
import { changeText } from './change-text.ts';

/** A longer change is cut: its trees have all of it. */
const MAX_DIFF_BYTES = 10_485_760;

/** What a run has kept, with its difference, read from the trees that git keeps for the run. */
export async function modificationOf(
  log: Log,
  run: string,
  { base, tree, ...recorded }: RecordedModification,
): Promise<CodeModification> {
  const settings = await readSettings(log, run);
  const trees = { from: base, to: tree };
  const whole = { leaveOut: [], forPeople: false, maxBytes: MAX_DIFF_BYTES };
  // Its trees may be gone: `gc` prunes those of runs that ended long ago.
  return { ...recorded, diff: (settings && (await changeText(trees, callOf(settings), whole))) ?? '' };
}
