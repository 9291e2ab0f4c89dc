import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ToolCall } from '../../machines/events.ts';
import type { Identity } from './traits.ts';

type Called = Pick<ToolCall, 'tool' | 'arguments'>;

/**
 * Equal exactly for calls of one tool with the same arguments, in whatever key order, as far as the tool's identity goes.
 * A digest, so states stay small. Null for a call that is exempt: it is the same as no other.
 */
export function signatureOf({ tool, arguments: given }: Called, identity?: Identity): string | null {
  if (identity === 'exempt') return null;
  return createHash('sha256').update(String(canonicalize([tool, identified(given, identity)]))).digest('hex');
}

function identified(given: Called['arguments'], identity: Exclude<Identity, 'exempt'> | undefined): unknown {
  if (identity === undefined) return given;
  if (typeof identity === 'function') return kept(given, identity);
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(identity.map((field) => [field, Reflect.get(given, field) ?? null]));
}

/** A tool's own function may meet arguments that no schema has passed yet. */
function kept(given: Called['arguments'], identity: (given: Called['arguments']) => Called['arguments']): unknown {
  try {
    return identity(given) ?? null;
  } catch {
    return given;
  }
}

/** A call as a person reads it: its tool and its arguments as RFC 8785 JSON. */
export const callText = ({ tool, arguments: given }: Called): string => `${tool} ${canonicalize(given)}`;
