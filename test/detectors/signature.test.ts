import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callText, signatureOf } from '../../src/detectors/signature.ts';

describe('the signature of a call', () => {
  test('T7 is blind to key order at any depth, and to nothing else', () => {
    const one = { tool: 'edit', arguments: { a: { x: 1, y: [1, 2] }, b: null } };
    expect(signatureOf({ tool: 'edit', arguments: { b: null, a: { y: [1, 2], x: 1 } } })).toBe(signatureOf(one));
    const others = [
      { ...one, tool: 'edi' },
      { ...one, arguments: { a: { x: 1, y: [2, 1] }, b: null } },
      { ...one, arguments: { a: { x: 1, y: [1, 2] } } },
      { ...one, arguments: null },
      { tool: 'edit {', arguments: null },
    ];
    expect(new Set([one, ...others].map((call) => signatureOf(call))).size).toBe(others.length + 1);
  });

  test('is a digest, however long the call', () =>
    fc.assert(
      fc.property(fc.string(), fc.string({ maxLength: 10_000 }), (tool, text) => {
        expect(signatureOf({ tool, arguments: { text } })).toMatch(/^[0-9a-f]{64}$/);
      }),
    ));

  test('its text is the tool and its arguments in RFC 8785', () =>
    expect(callText({ tool: 'read', arguments: { path: 'a', from: 1.0 } })).toBe('read {"from":1,"path":"a"}'));
});
