import { expect, test } from 'vitest';
import { holdsSecret, suspicionOf } from '../../src/evidence/secret-files.ts';
import { cpuTime } from '../support/cpu-time.ts';

const BY_NAME = [
  '.env',
  'web/.env.local',
  '.env.js',
  '.ENV',
  '.env-prod',
  '.env.example.local',
  'id_ed25519',
  '.ssh/id_rsa',
  'release.keystore',
  'store.p12',
  'pass.kdbx',
  '.netrc',
  '.pgpass',
  'site/.htpasswd',
  '.aws/credentials',
  'deploy/.aws/credentials',
  'credentials.json',
  'service-account.json',
  'keys/service-account-prod.json',
  'client_secret_12.json',
];
const OF_HONEST_WORK = [
  '.env.example',
  '.env.production.sample',
  '.env.dist',
  '.env.defaults',
  'env.ts',
  'environment.env.ts',
  '.env/bin/activate',
  'src/keys.key.ts',
  'id_rsa.pub',
  'credentials.ts',
  'src/service-account.ts',
  'aws/credentials',
  'android/app/debug.keystore',
  'test/fixtures/app/.env',
  'pkg/testdata/server.key',
  'monkey',
];

test.each(BY_NAME)('G10 %j is a secret by its name', (path) => expect(suspicionOf(path)).toBe('name'));
test.each(OF_HONEST_WORK)('G10 %j is no secret by its name', (path) => expect(suspicionOf(path)).toBeNull());

const PEM = '-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\n';
const HOLDING: readonly (readonly [path: string, secret: string, honest: string])[] = [
  ['server.key', PEM, 'qwerty\nazerty\n'],
  ['config/master.key', '0123456789abcdef0123456789abcdef\n', 'title: 0123\n'],
  ['der.key', '0\u0082\u0004', 'P\u0082'],
  ['tls/cert.pem', `-----BEGIN CERTIFICATE-----\nMIIB\n${PEM}`, '-----BEGIN PUBLIC KEY-----\nMIIB\n'],
  ['deploy_key', '-----BEGIN OPENSSH PRIVATE KEY-----\n', 'export const deploy_key = 1;'],
  ['signing.asc', '-----BEGIN PGP PRIVATE KEY BLOCK-----\n', '-----BEGIN PGP SIGNATURE-----\n'],
  ['.npmrc', '//registry.example/:_authToken=npm_abc', '//registry.example/:_authToken=${NPM_TOKEN}\nsave-exact=true'],
  ['.yarnrc.yml', 'npmAuthToken: "abc"', 'npmAuthToken: "${NPM_TOKEN}"\nnodeLinker: node-modules'],
  ['.pypirc', '[pypi]\nusername = __token__\npassword = pypi-abc', '[distutils]\nindex-servers = pypi'],
  ['pip.conf', 'index-url = https://ada:pw@pypi.example/simple', 'index-url = https://pypi.example/simple'],
  ['.envrc', 'export AWS_SECRET_ACCESS_KEY=abcdefgh12', 'use flake\nexport API_TOKEN=$(pass show token)'],
  ['docker/prod.env', 'DB_PASSWORD="correct horse"'.replace(' ', ''), 'DB_PASSWORD=\nNODE_ENV=production\n'],
];

test.each(HOLDING)('G10 %s is a secret file only where its content is a secret', (path, secret, honest) => {
  expect(suspicionOf(path)).toBe('content');
  expect(holdsSecret(path, secret)).toBe(true);
  expect(holdsSecret(path, honest)).toBe(false);
});

const LONG = 64 * 1024;
test.each([
  ['.envrc', '\n'],
  ['.envrc', 'TOKEN'],
  ['.pypirc', '\n'],
])('G10 %s is looked through at once where it is nothing but %j', (path, piece) => {
  const took = cpuTime(() => {
    expect(holdsSecret(path, piece.repeat(LONG / piece.length))).toBe(false);
  });
  expect(took).toBeLessThan(500);
});
