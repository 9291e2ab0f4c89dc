import { describe, expect, test } from 'vitest';
import { actionOf, callText, repetitionOf, signatureOf } from '../../src/detectors/signature.ts';
import { fc } from '../support/fast-check.ts';

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

  describe('as its tool declares', () => {
    const ask = (given: Parameters<typeof signatureOf>[0]['arguments']) => ({ tool: 'ask_user', arguments: given });
    const identity = ['question'];

    test('by fields: only these count', () => {
      const one = signatureOf(ask({ question: 'Tabs?', choices: ['yes'] }), identity);
      expect(signatureOf(ask({ choices: [], question: 'Tabs?' }), identity)).toBe(one);
      expect(signatureOf(ask({ question: 'Spaces?', choices: ['yes'] }), identity)).not.toBe(one);
    });

    test('by fields that are not there: all of it counts', () => {
      expect(signatureOf(ask({ q: 'Tabs?' }), identity)).not.toBe(signatureOf(ask({ q: 'Spaces?' }), identity));
      expect(signatureOf(ask({ toString: null }), ['toString'])).not.toBe(signatureOf(ask({}), ['toString']));
      expect(signatureOf(ask('Tabs?'), identity)).toBe(signatureOf(ask('Tabs?'), identity));
    });

    test('by a function, which may throw or answer with what is no JSON', () => {
      const lower = (given: unknown) => String(given).toLowerCase();
      expect(signatureOf(ask('TABS'), lower)).toBe(signatureOf(ask('tabs'), lower));
      const broken = [
        () => {
          throw new Error('no');
        },
        () => 1n as unknown as string,
      ];
      for (const own of broken) expect(signatureOf(ask('TABS'), own)).not.toBe(signatureOf(ask('tabs'), own));
    });

    test('one call has a signature for each identity it is asked by', () => {
      const call = ask({ question: 'Tabs?', choices: [] });
      const [by, all] = [signatureOf(call, identity), signatureOf(call)];
      expect(by).not.toBe(all);
      expect([signatureOf(call, identity), signatureOf(call), signatureOf(call, 'exempt')]).toEqual([by, all, null]);
    });

    test('exempt and polling calls repeat nothing, and have results all the same', () => {
      for (const traits of [{ identity: 'exempt' } as const, { polling: true } as const]) {
        expect(repetitionOf(ask('x'), traits)).toBe(null);
        expect(actionOf(ask('x'), traits)).toBe(actionOf(ask('x'), {}));
      }
      expect(repetitionOf(ask('x'), {})).toBe(actionOf(ask('x'), {}));
    });
  });
});
