import { type StoredEvent, verifyChain } from '../log/chain.ts';
import type { Envelope } from '../log/envelope.ts';
import { storedText } from '../log/prepare-events.ts';
import type { Damaged } from './replay-run.ts';

/** An envelope in a file: it can be verified where it carries its hash and its salt. */
export type WrittenLine = Omit<Envelope, 'position' | 'epoch' | 'hash' | 'mark' | 'salt' | 'digest'> & {
  readonly mark?: string | null | undefined;
  readonly epoch?: number | undefined;
  readonly hash?: string | undefined;
  readonly salt?: string | null | undefined;
  readonly digest?: string | undefined;
};

/** Whether a file of envelopes carries what verifying takes: files of earlier versions lack the salts. */
export const isVerifiable = (lines: readonly WrittenLine[]): boolean => lines.some(({ salt }) => salt !== undefined);

/** Recomputes the chain of the envelopes of one run. Null: it holds, up to the last line that the file has. */
export function brokenLine(lines: readonly WrittenLine[]): Damaged | null {
  const blobs = new Map<string, string>();
  const events: StoredEvent[] = [];
  for (const line of lines) {
    const event = eventOf(line, blobs);
    if (event === null) return { kind: 'damaged', version: line.version, reason: 'its hash or its salt is missing' };
    events.push(event);
  }
  const verified = verifyChain(events, (sha) => blobs.get(sha) ?? null);
  return verified.kind === 'broken' ? { kind: 'damaged', version: verified.version, reason: verified.reason } : null;
}

function eventOf(line: WrittenLine, blobs: Map<string, string>): StoredEvent | null {
  const { run, version, type, schema, at, causation, payload, epoch, hash, salt, digest = null, mark = null } = line;
  if (epoch === undefined || hash === undefined || salt === undefined) return null;
  const facts = { run, version, type, schema, at, causation, epoch, hash, mark, position: version };
  const bytes = salt === null ? null : Buffer.from(salt, 'hex');
  if (payload === null) return { ...facts, text: null, salt: bytes, digest };
  const { text, blob } = storedText(payload);
  if (blob !== null) blobs.set(blob.sha256, blob.text);
  return { ...facts, text, salt: bytes, digest };
}
