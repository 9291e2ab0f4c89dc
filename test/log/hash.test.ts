import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Json } from '../../src/log/envelope.ts';
import {
  chainedText,
  envelopeHash,
  FIRST_PREVIOUS_HASH,
  newSalt,
  payloadDigest,
  SALT_BYTES,
} from '../../src/log/hash.ts';
import { canonicalText } from '../../src/log/canonical-text.ts';
import { jsonFault } from '../../src/log/json-gate.ts';
import { fc } from '../support/fast-check.ts';

const text = fc.string({ unit: 'grapheme' });
const facts = fc.record({
  run: text,
  version: fc.integer({ min: 1 }),
  type: text,
  schema: fc.integer({ min: 1 }),
  at: text,
  causation: fc.option(text),
  epoch: fc.integer({ min: 1 }),
});

const someFacts = { version: 1, type: 't', schema: 1, at: '2026-03-01T12:00:00.000Z', causation: null, epoch: 1 };

test('what is hashed of an envelope is its RFC 8785 text', () => {
  fc.assert(
    fc.property(facts, fc.stringMatching(/^[0-9a-f]{64}$/), (envelope, digest) => {
      expect(chainedText(envelope, digest)).toBe(canonicalize({ ...envelope, payload: digest }));
    }),
  );
});

test('the text of a payload is that of RFC 8785', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (payload) => {
      fc.pre(jsonFault(payload) === null);
      expect(canonicalText(payload as Json)).toBe(canonicalize(payload));
    }),
  );
});

test('a hash is that of salt and text, however long the text is and whatever it is written with', () => {
  const reference = (before: Uint8Array, content: string) =>
    createHash('sha256').update(before).update(content).digest('hex');
  // About 8,192 bytes are put together in one place.
  const lengths = fc.oneof(fc.nat(100), fc.integer({ min: 2_700, max: 2_740 }), fc.integer({ min: 8_150, max: 8_220 }));
  fc.assert(
    fc.property(lengths, fc.constantFrom('a', 'ü', '€', '😀'), (length, unit) => {
      const [salt, content] = [newSalt(), unit.repeat(length)];
      expect(payloadDigest(salt, content)).toBe(reference(salt, content));
      const previous = FIRST_PREVIOUS_HASH.replaceAll('0', 'a');
      const envelope = { ...someFacts, run: content };
      const digest = 'f'.repeat(64);
      expect(envelopeHash(previous, envelope, digest)).toBe(
        reference(Buffer.from(previous, 'hex'), chainedText(envelope, digest)),
      );
    }),
  );
});

test("the order of a payload's members changes nothing", () => {
  fc.assert(
    fc.property(fc.dictionary(text, fc.jsonValue()), (payload) => {
      const reversed = Object.fromEntries(Object.entries(payload).toReversed());
      expect(canonicalText(reversed as Json)).toBe(canonicalText(payload as Json));
    }),
  );
});

test('the worked example of the protocol page is right', () => {
  const page = readFileSync(new URL('../../docs/log-protocol.md', import.meta.url), 'utf8');
  const example = page.slice(page.indexOf('### A worked example'));
  const [input, payload, chained] = [...example.matchAll(/```json\n(.+?)\n```/gs)].map(([, block]) => block ?? '');
  const named = [...example.matchAll(/^\s*(?:salt|digest|hash) += ([0-9a-f]+)$/gm)];
  const [salt, digest, hash] = named.map(([, hex]) => hex ?? '');
  const { payload: content, ...envelope } = JSON.parse(input ?? '');
  expect(canonicalText(content)).toBe(payload);
  expect(payloadDigest(Buffer.from(salt ?? '', 'hex'), payload ?? '')).toBe(digest);
  expect(chainedText(envelope, digest ?? '')).toBe(chained);
  expect(envelopeHash(FIRST_PREVIOUS_HASH, envelope, digest ?? '')).toBe(hash);
});

test('no salt is given twice', () => {
  const salts = Array.from({ length: 1_000 }, () => newSalt().toString('hex'));
  expect(new Set(salts).size).toBe(1_000);
  expect(salts.every((salt) => salt.length === 2 * SALT_BYTES)).toBe(true);
});
