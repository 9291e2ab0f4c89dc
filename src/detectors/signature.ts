import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ToolCall } from '../../machines/events.ts';

type Called = Pick<ToolCall, 'tool' | 'arguments'>;

/**
 * Equal exactly for calls of one tool with the same arguments, in whatever key order. A digest, so states stay small.
 */
export const signatureOf = ({ tool, arguments: given }: Called): string =>
  createHash('sha256').update(String(canonicalize([tool, given]))).digest('hex');

/** A call as a person reads it: its tool and its arguments as RFC 8785 JSON. */
export const callText = ({ tool, arguments: given }: Called): string => `${tool} ${canonicalize(given)}`;
