import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/log/envelope.ts';
import { gapNote } from '../../src/log/gap.ts';
import { redactor } from '../../src/log/redact.ts';
import { secretsIn } from '../../src/log/secret-variables.ts';
import { wordReplacer } from '../../src/log/word-search.ts';
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

describe('known secrets in other forms', () => {
  const value = 'pässword/+with?every&thing~\u00ff!(0123456789)*';
  const redact = redactor([{ name: 'A_TOKEN', value }]);

  test('in base64, wherever it stands in what was encoded', () =>
    fc.assert(
      fc.property(
        secret,
        fc.string(),
        fc.string(),
        fc.constantFrom('base64', 'base64url'),
        (own, before, after, to) => {
          const encoded = Buffer.from(`${before}${own}${after}`).toString(to);
          const redacted = String(redactor([{ name: 'A_TOKEN', value: own }])(`> ${encoded} <`));
          expect(redacted).toContain('[redacted A_TOKEN]');
          const left = redacted.replaceAll(/> | <|\[redacted A_TOKEN\]/g, '').length;
          // Two letters at most are shared with what stands beside it.
          expect(encoded.length - left).toBeGreaterThanOrEqual(Math.floor((own.length * 8) / 6) - 1);
        },
      ),
    ));

  test.each([57, 64, 76])('in base64 that is wrapped, with %i letters a line', (columns) => {
    const encoded = Buffer.from(`${'{"before":1}'.repeat(7)}${value}${'after'.repeat(20)}`).toString('base64');
    const wrapped = encoded.replaceAll(new RegExp(`.{${Math.max(columns, 60)}}`, 'g'), '$&\n');
    expect(redact(`key:\n${wrapped}\n`)).toContain('[redacted A_TOKEN]');
    const harmless = `key:\n${Buffer.from('abc'.repeat(90)).toString('base64').replaceAll(/.{76}/g, '$&\n')}\n`;
    expect(redact(harmless)).toBe(harmless);
  });

  const hexOf = (one: string) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`;

  test.each([
    ['a part of an address', encodeURIComponent(value)],
    ['with small digits', encodeURIComponent(value).replaceAll(/%../g, (hex) => hex.toLowerCase())],
    ['all but letters', encodeURIComponent(value).replaceAll(/[!'()*]/g, hexOf)],
    ['the value of a form', new URLSearchParams({ v: value }).toString().slice(2)],
  ])('encoded as %s', (_, encoded) => {
    expect(redact(`https://host.example/?token=${encoded}&x=1`)).toBe(
      'https://host.example/?token=[redacted A_TOKEN]&x=1',
    );
  });
});

describe('the search for words', () => {
  const word = fc.stringMatching(/^[ab]{2,5}$/);

  test('finds what a search letter by letter finds', () =>
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), fc.stringMatching(/^[abc]{0,60}$/), (words, text) => {
        expect(wordReplacer(words, (one) => `<${one}>`)(text)).toBe(letterByLetter(words, text));
      }),
    ));

  function letterByLetter(words: readonly string[], text: string): string {
    const longest = words.toSorted((one, other) => other.length - one.length);
    let done = '';
    for (let at = 0; at < text.length;) {
      const found = longest.find((one) => text.startsWith(one, at));
      done += found ? `<${found}>` : text[at];
      at += found?.length ?? 1;
    }
    return done;
  }
});

describe('which secrets a process has', () => {
  const value = 'fX9-31kk!0aZ';

  test.each([
    'PGPASSWORD',
    'MYSQL_PWD',
    'GH_PAT',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'STRIPE_SK',
    'STRIPE_KEY',
    'SENTRY_DSN',
    'SMTP_PASS',
    'SECRET_KEY_BASE',
    'ENCRYPTION_KEY',
    'JWT_SIGNING_KEY',
    'SLACK_WEBHOOK_URL',
    'AZURE_STORAGE_CONNECTION_STRING',
    'BASIC_AUTH',
    'SESSION_COOKIE',
    'npm_config__authToken',
    'GPG_PASSPHRASE',
    'SERVICE_ACCOUNT_CREDENTIALS',
    'OPENAI_APIKEY',
  ])('%s is one by its name alone', (name) => {
    expect(secretsIn({ [name]: value })).toEqual([{ name, value }]);
  });

  test.each([
    'PATH',
    'PWD',
    'OLDPWD',
    'SSH_AUTH_SOCK',
    'KEYBOARD',
    'AWS_ACCESS_KEY_ID',
    'DOCKER_SECRET_FILE',
    'MONKEY',
  ])('%s is harmless', (name) => {
    expect(secretsIn({ [name]: value })).toEqual([]);
  });

  test('an address with a password is one under any name, and so is that password, unless it is a plain word', () => {
    const address = 'postgres://shop:p%40ss-w0rd@db.example/shop';
    expect(secretsIn({ DATABASE_URL: address })).toEqual(
      [address, 'p%40ss-w0rd', 'p@ss-w0rd'].map((one) => ({ name: 'DATABASE_URL', value: one })),
    );
    const plain = 'postgres://postgres:postgres@localhost/shop';
    expect(secretsIn({ DATABASE_URL: plain })).toEqual([{ name: 'DATABASE_URL', value: plain }]);
    expect(secretsIn({ SITE: 'https://example.com/a:b@c' })).toEqual([]);
  });

  test('every named variable is one, but for settings of systems and tools', () => {
    const names = ['CODE_WORD', 'NODE_ENV', 'LC_ALL', 'XDG_CACHE_HOME', 'DB_HOST', 'MODE', 'PIN'];
    const values = [value, 'production-like', 'de_DE.UTF-8', '/srv/cache', 'localhost', 'production', '1234'];
    const environment = Object.fromEntries(names.map((name, index) => [name, values[index]]));
    expect(secretsIn(environment, names)).toEqual([{ name: 'CODE_WORD', value }]);
    expect(secretsIn(environment)).toEqual([]);
  });

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
