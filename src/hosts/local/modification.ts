import { treePatch } from '../../actors/workspace/tree-patch.ts';
import type { Log } from '../../log/log.ts';
import type { CodeModification, RecordedModification } from '../../loops/improvement/history/iteration-result.ts';
import { readSettings } from '../../projections/read-settings.ts';
import { callOf } from './capture-repository.ts';

/** A longer change is cut: its trees have all of it. */
const MAX_DIFF_BYTES = 10_485_760;

/** What a run has kept, with its difference, read from the trees that git keeps for the run. */
export async function modificationOf(
  log: Log,
  run: string,
  { base, tree, ...recorded }: RecordedModification,
): Promise<CodeModification> {
  const settings = await readSettings(log, run);
  return { ...recorded, diff: settings ? await diffOf({ from: base, to: tree, leaveOut: [] }, callOf(settings)) : '' };
}

async function diffOf(trees: Parameters<typeof treePatch>[0], call: Parameters<typeof treePatch>[1]): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of treePatch(trees, call)) {
      bytes += part.length;
      if (bytes > MAX_DIFF_BYTES) break;
      parts.push(part);
    }
  } catch {
    // Its trees are gone: `gc` prunes those of runs that ended long ago.
    return '';
  }
  return Buffer.concat(parts).toString();
}
