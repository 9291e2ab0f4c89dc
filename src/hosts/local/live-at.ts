import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import type { Holder } from '../../log/lease-store.ts';
import type { Log } from '../../log/log.ts';
import { readSettings } from '../../projections/read-settings.ts';

/** A run that a process works on, in a workspace. */
export interface LiveAt {
  readonly run: string;
  readonly by: Holder;
}

/** The run that a process works on in a folder, in one within it or in one around it; null without one. */
export async function liveAt(log: Log, folder: string): Promise<LiveAt | null> {
  const place = await realPlace(folder);
  const open = (await log.runs()).filter(({ run, root, closed }) => closed === null && run === root);
  for (const { run } of open) {
    const by = await log.holder(run);
    const settings = by && (await readSettings(log, run));
    // An isolated run works in a folder of its own, wherever that is.
    if (!settings || settings.isolation) continue;
    const other = await realPlace(settings.directory);
    if (isWithin(place, other) || isWithin(other, place)) return { run, by };
  }
  return null;
}

const realPlace = (folder: string): Promise<string> => realpath(folder).catch(() => folder);

function isWithin(around: string, place: string): boolean {
  const way = relative(around, place);
  return way.split(sep)[0] !== '..' && !isAbsolute(way);
}
