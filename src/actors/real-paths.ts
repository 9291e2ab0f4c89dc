import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathInside } from '../evidence/workspace-paths.ts';
import { type Called, type CallPart, callParts } from '../permissions/call-parts.ts';
import { strictestOf, type Ruled } from '../permissions/call-ruling.ts';

/** The most paths of one call that are looked at. */
const MAX_PATHS = 200;

/** A path of a call that leads to another place, where a rule is stricter. */
export interface Led {
  readonly action: 'ask' | 'deny';
  readonly because: string;
  /** As the call names it, and where it leads to. */
  readonly path: string;
  readonly real: string;
}

/**
 * Rules over the places that a call reaches through symbolic links. Returns the path that leads where less is allowed
 * than where it is named, or null. Links may change until the call has run: walls hold what no link may reach.
 */
export async function ledElsewhere(call: Called, ruled: Ruled): Promise<Led | null> {
  const parts = callParts(call, ruled.directory);
  const named = [...new Set(parts.flatMap(({ paths, mentions }) => [...paths, ...mentions]))].slice(0, MAX_PATHS);
  const top = await realOf(ruled.directory);
  const real = new Map<string, string>();
  for (const path of named) {
    const place = pathInside(await realOf(resolve(ruled.directory, path)), top, [top]);
    if (place !== path) real.set(path, place);
  }
  for (const [path, place] of real) {
    const led = parts.filter((part) => [...part.paths, ...part.mentions].includes(path));
    const before = strictestOf(led, ruled);
    const after = strictestOf(
      led.map((part) => moved(part, path, place)),
      ruled,
    );
    const { action, because } = after;
    if (action !== 'allow' && (before.action === 'allow' || (before.action === 'ask' && action === 'deny')))
      return { action, because, path, real: place };
  }
  return null;
}

const moved = (part: CallPart, path: string, place: string): CallPart => ({
  ...part,
  paths: part.paths.map((one) => (one === path ? place : one)),
  mentions: part.mentions.map((one) => (one === path ? place : one)),
});

/** Without symbolic links, as far as the path exists. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    if (above === path) return path;
    const name = path.slice(above === '/' ? 1 : above.length + 1);
    return resolve(await realOf(above), name);
  }
}
