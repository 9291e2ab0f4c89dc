import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ToolCall } from '../../machines/events.ts';
import { type Identity, says, type ToolTraits } from './traits.ts';

type Called = Pick<ToolCall, 'tool' | 'arguments'>;
type Kept = Exclude<Identity, 'exempt'> | undefined;

/** Several detectors ask for the same call, so each is hashed once. */
const known = new WeakMap<Called, { readonly identity: Kept; readonly signature: string }>();

/**
 * Equal exactly for calls of one tool whose arguments are the same under the tool's identity, in any key order. A
 * digest, so states stay small. Null for an exempt call, which equals no other.
 */
export function signatureOf(call: Called, identity?: Identity): string | null {
  return identity === 'exempt' ? null : digestOf(call, identity);
}

/** The signature for detectors that count calls alone. Null for a call that is exempt, or whose tool polls. */
export const repetitionOf = (call: Called, { identity, polling }: ToolTraits): string | null =>
  says(polling, call) ? null : signatureOf(call, identity);

/** One signature for several calls, in any order; of one call it is that one. */
export function togetherOf(signatures: readonly string[]): string {
  const each = [...new Set(signatures)].toSorted();
  return each.length === 1 ? (each[0] ?? '') : hash('sha256', each.join('\n'));
}

/** The signature for detectors that compare results too, or look at one answer alone: no call is exempt from those. */
export const actionOf = (call: Called, { identity }: ToolTraits): string =>
  digestOf(call, identity === 'exempt' ? undefined : identity);

function digestOf(call: Called, identity: Kept): string {
  const earlier = known.get(call);
  if (earlier && earlier.identity === identity) return earlier.signature;
  const signature = hash('sha256', canonical(call, identity));
  known.set(call, { identity, signature });
  return signature;
}

/** A tool's own function may meet arguments that no schema has checked, and may return something that is not JSON. */
function canonical({ tool, arguments: given }: Called, identity: Kept): string {
  if (typeof identity === 'function') {
    try {
      return written([tool, identity(given) ?? null]);
    } catch {
      return written([tool, given]);
    }
  }
  return written([tool, identity === undefined ? given : fieldsOf(given, identity)]);
}

/** As RFC 8785 JSON, or as plain JSON where it contains a lone surrogate, which RFC 8785 does not allow. */
function written(value: unknown): string {
  try {
    return String(canonicalize(value));
  } catch {
    return String(JSON.stringify(value));
  }
}

/** Arguments without any of the fields are an invalid call, so all of them count. */
function fieldsOf(given: Called['arguments'], fields: readonly string[]): unknown {
  if (typeof given !== 'object' || given === null || !fields.some((field) => Object.hasOwn(given, field))) return given;
  return Object.fromEntries(
    fields.map((field) => [field, Object.hasOwn(given, field) ? Reflect.get(given, field) : null]),
  );
}

/** A call as text: its tool, and its arguments as RFC 8785 JSON. */
export const callText = ({ tool, arguments: given }: Called): string => `${tool} ${written(given)}`;
