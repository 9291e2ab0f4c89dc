import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/log/envelope.ts';
import { gapNote } from '../../src/log/gap.ts';
import { redactor, secretsIn } from '../../src/log/redact.ts';
import { fc } from '../support/fast-check.ts';

const secret = fc.stringMatching(/^[A-Z0-9]{4}[a-zA-Z0-9+/=.$^*()[\]{}|\\-]{4,40}$/);
const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

describe('secrets never reach the log', () => {
  test('wherever a secret stands, in a text or in the name of a member, its name stands after', () =>
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), json, (value, before, after, other) => {
        fc.pre(!JSON.stringify(other).includes(value));
        const text = `${before}${value}${after}`;
        const redacted = JSON.stringify(redactor([{ name: 'A_TOKEN', value }])({ [text]: [other, { text }] }));
        expect(redacted).not.toContain(JSON.stringify(value).slice(1, -1));
        expect(redacted).toContain('[redacted A_TOKEN]');
      }),
    ));

  test('what holds no secret is the very same value', () =>
    fc.assert(
      fc.property(json, (value) => {
        expect(redactor([{ name: 'A_TOKEN', value: 'Zx9!Zx9!Zx9!' }])(value)).toBe(value);
      }),
    ));

  test('one pass is enough', () =>
    fc.assert(
      fc.property(fc.array(secret, { maxLength: 5 }), fc.array(fc.string()), (values, texts) => {
        const redact = redactor(values.map((value, index) => ({ name: `N${index}`, value })));
        const once = redact([...texts, values.join(' '), values.join('')]);
        expect(redact(once)).toEqual(once);
      }),
    ));

  test('what a cut leaves of a secret is taken out as well', () =>
    fc.assert(
      fc.property(secret, fc.nat(), fc.nat(), (value, some, others) => {
        const cut = value.length - 4;
        const pieces = [value.slice(0, 4 + (some % cut)), value.slice(-4 - (others % cut))];
        const redact = redactor([{ name: 'A_TOKEN', value }]);
        const redacted = redact(`before ${pieces.join(gapNote(2_000))} after`);
        expect(redacted).toBe(`before [redacted A_TOKEN]${gapNote(2_000)}[redacted A_TOKEN] after`);
        expect(redact(redacted)).toBe(redacted);
      }),
    ));

  test('a secret is found inside of JSON that is itself a text', () => {
    const value = 'pass"word\\0123';
    expect(redactor([{ name: 'A_TOKEN', value }])(JSON.stringify({ value }))).toBe('{"value":"[redacted A_TOKEN]"}');
  });

  test('of two secrets that begin alike, the longer one is found', () => {
    const redact = redactor([
      { name: 'SHORT', value: 'abcd-1234' },
      { name: 'LONG', value: 'abcd-1234-5678' },
    ]);
    expect(redact('abcd-1234-5678 abcd-1234')).toBe('[redacted LONG] [redacted SHORT]');
  });

  test('our own vocabulary survives a password that is one of its words', () => {
    const redact = redactor([{ name: 'PASSWORD', value: 'continue' }]);
    expect(redact({ action: 'continue', reason: 'I say continue.' })).toEqual({
      action: 'continue',
      reason: 'I say [redacted PASSWORD].',
    });
  });

  test.each([
    ['anthropic key', `sk-ant-${'api03-Ab1'.repeat(4)}`],
    ['api key', `sk-proj-${'Ab1_'.repeat(8)}`],
    ['google key', `AIza${'Sy1-b'.repeat(7)}`],
    ['github token', `ghp_${'aB3'.repeat(12)}`],
    ['github token', `github_pat_${'aB3_'.repeat(8)}`],
    ['gitlab token', `glpat-${'aB3-x'.repeat(4)}`],
    ['npm token', `npm_${'aB3x'.repeat(9)}`],
    ['hugging face token', `hf_${'aB3x'.repeat(9)}`],
    ['slack token', 'xoxb-123456789012-abc'],
    ['aws key', 'AKIAABCDEFGHIJKLMNOP'],
    ['json web token', `eyJ${'hbGciOiJI'.repeat(2)}.eyJ${'zdWIiOiIx'.repeat(2)}.${'dozjgNryP4'.repeat(2)}`],
    ['private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIEow+/=\n-----END RSA PRIVATE KEY-----'],
  ])('a %s is known by its form', (name, value) => {
    expect(redactor([])({ output: `key="${value}" end` })).toEqual({ output: `key="[redacted ${name}]" end` });
  });

  test.each([
    'sk-loading-indicator-wrapper-element',
    'ask-me-1234567890123456789012',
    'AKIA',
    'the -----BEGIN CERTIFICATE-----',
  ])('%s is no key', (text) => expect(redactor([])(text)).toBe(text));
});

describe('which secrets a process has', () => {
  test('by the names of variables, and those named beside; short values are words', () => {
    const environment = {
      OPENAI_API_KEY: ' sk-123456 ',
      NPM_TOKEN: 'npm-12345',
      DB_PASSWORD: 'short',
      MY_SECRET: 'mysecret1',
      PATH: '/usr/bin:/bin',
      TOKENS: 'many-many-tokens',
      ROUTER: 'router-key',
      EMPTY_TOKEN: undefined,
    };
    expect(secretsIn(environment, ['ROUTER']).map(({ name }) => name)).toEqual([
      'OPENAI_API_KEY',
      'NPM_TOKEN',
      'MY_SECRET',
      'ROUTER',
    ]);
    expect(secretsIn(environment)[0]).toEqual({ name: 'OPENAI_API_KEY', value: 'sk-123456' });
  });
});
