import { expect, test } from 'vitest';
import { limitNumbers, loopbackPorts, NetworkReach, reachesHost } from '../../machines/command-reach.ts';
import { addressedHosts, ecosystemsOf, registryLines } from '../../src/evidence/registries.ts';
import { refusalLine } from '../../src/evidence/wall-refusals.ts';

test.each([
  ['example.org', 'example.org', 443, true],
  ['example.org', 'EXAMPLE.org.', 80, true],
  ['example.org', 'example.org', 22, false],
  ['example.org', 'sub.example.org', 443, false],
  ['example.org', 'notexample.org', 443, false],
  ['*.example.org', 'sub.example.org', 443, true],
  ['*.example.org', 'example.org', 443, false],
  ['example.org:8443', 'example.org', 8443, true],
  ['example.org:8443', 'example.org', 443, false],
  ['loopback:443', 'loopback', 443, false],
  ['none', 'none', 443, false],
  ['all', 'all', 443, false],
])('B1 the reach %s, asked for %s:%i, says %s', (reach, host, port, isReached) => {
  expect(reachesHost(reach, { host, port })).toBe(isReached);
});

test('B1 a reach names no address, no path and no empty entry', () => {
  const isRead = (text: string) => NetworkReach.safeParse(text).success;
  expect(['none', 'all', 'registries', 'a.org,loopback:1,*.b.org:8080'].filter(isRead)).toHaveLength(4);
  expect(['', 'a.org,', 'https://a.org', 'a.org/b', 'a b', 'loopback', 'none,a.org:x'].filter(isRead)).toEqual([]);
  expect(loopbackPorts('a.org,loopback:5432,loopback:80')).toEqual([5432, 80]);
});

test('B1 an ecosystem is known by its manifest, and has its public registries', () => {
  const hosts = (...names: string[]) => ecosystemsOf(names).flatMap((one) => one.hosts);
  expect(hosts('README.md')).toEqual([]);
  expect(hosts('package.json')).toHaveLength(2);
  expect(hosts('package.json', 'Cargo.toml')).toContain('static.crates.io');
});

test('B1 of settings of a package manager only the registries are handed in, without tokens and passwords', () => {
  const npmrc = [
    '//packages.corp.example/:_authToken=npm_secret',
    'registry=https://ada:pass@packages.corp.example:8443/npm/',
    '@corp:registry=http://127.0.0.1:4873/',
    '_auth=c2VjcmV0',
    'email=ada@example.org',
  ].join('\n');
  const lines = registryLines(npmrc);
  expect(lines).toBe('registry=https://packages.corp.example:8443/npm/\n@corp:registry=http://127.0.0.1:4873/\n');
  expect(addressedHosts(lines)).toEqual(['packages.corp.example:8443', 'loopback:4873']);
});

test('B1 limits of commands are read as bytes and numbers', () => {
  expect(limitNumbers('memory=2gb,processes=10,file=5mb')).toEqual({
    memory: 2 * 1024 ** 3,
    processes: 10,
    file: 5 * 1024 ** 2,
  });
  expect(limitNumbers(undefined)).toEqual({});
});

const NOTHING = { places: [], output: '', kept: ['.git/hooks'], isCutOff: true, asks: null };

test('B1 what walls refused is said in one line, with the path or the place', () => {
  const denied = 'sh: cannot create .git/hooks/pre-commit: Read-only file system';
  expect(refusalLine({ ...NOTHING, places: ['example.org:443'], output: denied })).toBe(
    '[walls: from here example.org:443 cannot be reached, and .git/hooks cannot be written; only the user can open that]',
  );
  expect(refusalLine({ ...NOTHING, output: 'curl: (6) Could not resolve host: example.org', asks: 'ask' })).toBe(
    '[walls: from here there is no network; `ask` asks the user for it]',
  );
});

test('B1 an ordinary failure is not called a refusal', () => {
  expect(refusalLine({ ...NOTHING, output: 'sh: x: Permission denied\nexit 1' })).toBeNull();
  const resolved = 'Could not resolve host';
  expect(refusalLine({ ...NOTHING, output: resolved, isCutOff: false })).toBeNull();
});
