import { hash } from 'node:crypto';
import type { ToolCall } from '../../machines/events.ts';
import type { ToolTraits } from './traits.ts';

type Called = Pick<ToolCall, 'tool' | 'arguments'>;

/** What a call replaces as a whole. */
export interface Replacement {
  /** Equal for the same thing of the same tool. */
  readonly what: string;
  /** How many items of it are ticked off: a list of tasks on which work is done has more of them each time. */
  readonly ticked: number;
}

const DIGEST_CHARS = 16;
/** How lists say that an item is done; in JSON within JSON quotes are escaped. */
const TICK = /\[x\]|[✓✔✅☑]|"(?:completed|complete|done|finished)\\?"/gi;

/** Several detectors ask for the same call, and its arguments may be a whole file: they are read once. */
const known = new WeakMap<Called, { readonly by: ToolTraits['replaces']; readonly replacement: Replacement | null }>();

/** What a call replaces, as its tool says it. Null: nothing, or its arguments cannot tell. */
export function replacementOf(call: Called, { replaces }: Pick<ToolTraits, 'replaces'>): Replacement | null {
  if (replaces === undefined) return null;
  const earlier = known.get(call);
  if (earlier && earlier.by === replaces) return earlier.replacement;
  const what = replaces === true ? '' : namedBy(replaces, call);
  const replacement = what === null ? null : { what: digestOf(call.tool, what), ticked: ticksIn(call) };
  known.set(call, { by: replaces, replacement });
  return replacement;
}

/** A tool's own function may meet arguments that no schema has checked. */
function namedBy(replaces: Exclude<ToolTraits['replaces'], true | undefined>, call: Called): string | null {
  try {
    return replaces(call.arguments);
  } catch {
    return null;
  }
}

const digestOf = (tool: string, what: string): string =>
  hash('sha256', JSON.stringify([tool, what])).slice(0, DIGEST_CHARS);

const ticksIn = ({ arguments: given }: Called): number => JSON.stringify(given).match(TICK)?.length ?? 0;
