import canonicalize from 'canonicalize';
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
import { canonicalText } from '../../src/log/prepared.ts';
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

test('what is hashed of an envelope is its RFC 8785 text', () => {
  fc.assert(
    fc.property(facts, fc.stringMatching(/^[0-9a-f]{64}$/), (envelope, digest) => {
      expect(chainedText(envelope, digest)).toBe(canonicalize({ ...envelope, payload: digest }));
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
