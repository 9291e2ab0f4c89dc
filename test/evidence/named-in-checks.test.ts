import { describe, expect, test } from 'vitest';
import { type Naming, namedInChecks } from '../../src/evidence/files-in-checks.ts';

const FILES = [
  'package.json',
  'web/package.json',
  'src/a.ts',
  'src/main.js',
  'notes.txt',
  'expected.txt',
  'strict.json',
  'setup.mjs',
  'tools/grep',
  'checks/all.mjs',
  'checks/one.mjs',
  'checks/run.py',
  'checks/verify.sh',
  'web/checks/all.mjs',
];
const PACKAGES = {
  'package.json': JSON.stringify({
    scripts: {
      pretest: 'tsc -p strict.json src/a.ts',
      test: 'npm run deep',
      deep: 'node checks/all',
      lint: 'eslint src/main.js',
      loop: 'npm run loop',
    },
  }),
  'web/package.json': '{"scripts": {"check": "node checks/all.mjs"}}',
};

function named(command: string, more: Partial<Naming> = {}) {
  const paths = new Set(FILES);
  const packages = new Map(Object.entries(PACKAGES));
  const found = namedInChecks({ checks: [{ name: 'it', command }], folder: '', paths, packages, ...more });
  return [...found.files.keys()].toSorted();
}

describe('V2 files that a check runs are grounds', () => {
  test.each([
    ['node checks/all.mjs', ['checks/all.mjs']],
    ['checks/verify.sh', ['checks/verify.sh']],
    ['./checks/verify.sh --fast', ['checks/verify.sh']],
    ['sh < checks/verify.sh', ['checks/verify.sh']],
    ['cat checks/verify.sh | sh', ['checks/verify.sh']],
    ['cd checks && node all.mjs', ['checks/all.mjs']],
    ['(cd checks); node all.mjs', []],
    ['(cd checks && node all.mjs)', ['checks/all.mjs']],
    ['CI=1 timeout 60s node --import=./setup.mjs checks/one.mjs', ['checks/one.mjs', 'setup.mjs']],
    ["NODE_OPTIONS='--import ./setup.mjs' npx vitest", ['setup.mjs']],
    ["npx cross-env NODE_OPTIONS='--import ./setup.mjs' vitest", ['setup.mjs']],
    ['node --test checks/*.mjs', ['checks/all.mjs', 'checks/one.mjs']],
    ["mocha 'checks/**/*.mjs'", ['checks/all.mjs', 'checks/one.mjs']],
    ['python -m checks.run', ['checks/run.py']],
    ['bash -c "echo go && node checks/all.mjs"', ['checks/all.mjs']],
    ['if node checks/all.mjs; then echo yes; fi', ['checks/all.mjs']],
    ['test "$(node checks/one.mjs)" = 3', ['checks/one.mjs']],
    ['diff <(node checks/one.mjs) expected.txt', ['checks/one.mjs', 'expected.txt']],
    ['cat notes.txt | grep "$(node checks/one.mjs)"', ['checks/one.mjs']],
    ['tools/grep -q done notes.txt', ['notes.txt', 'tools/grep']],
    ['node checks/all.mjs -c strict.json', ['checks/all.mjs', 'strict.json']],
    ['node checks/all.mjs > notes.txt', ['checks/all.mjs']],
  ])('V2 %s', (command, files) => expect(named(command)).toEqual(files));

  test.each([
    ['grep -q done notes.txt', []],
    ['test -f notes.txt', []],
    ['[ -s notes.txt ] && cat notes.txt | wc -l', []],
    ['node --check src/main.js', []],
    ['npx tsc --noEmit src/a.ts', []],
    ['npx tsc -p strict.json', ['strict.json']],
    ['eslint --config setup.mjs src/main.js', ['setup.mjs']],
    ['python3 -m mypy checks/run.py', []],
    ['npm test -w web', ['checks/all.mjs', 'strict.json']],
  ])('V2 files that a check only reads are the work: %s', (command, files) => expect(named(command)).toEqual(files));

  test('V2 a file that does not exist is for the work to make', () =>
    expect(named('node checks/later.mjs && node made.mjs')).toEqual([]));

  test('V2 scripts of package.json are followed, with those before and after them', () => {
    expect(named('npm test')).toEqual(['checks/all.mjs', 'strict.json']);
    expect(named('npm run lint && yarn deep')).toEqual(['checks/all.mjs']);
    expect(named('node --run deep')).toEqual(['checks/all.mjs']);
    expect(named('npm run loop')).toEqual([]);
    expect(named('pnpm run check', { folder: 'web' })).toEqual(['web/checks/all.mjs']);
    expect(named('npm run deep', { folder: 'src' })).toEqual(['checks/all.mjs']);
    expect(named('npm test', { packages: new Map([['package.json', 'no JSON']]) })).toEqual([]);
  });

  test('V2 calls of scripts elsewhere are told, and each file has the first check that names it', () => {
    const checks = ['npm test -w web', 'node checks/all.mjs', 'node checks/one.mjs'].map((command) => ({
      name: `check ${command}`,
      command,
    }));
    const found = namedInChecks({ checks, folder: '', paths: new Set(FILES), packages: new Map() });
    expect(found.unseen).toEqual(['npm test -w web']);
    expect(found.files).toEqual(
      new Map([
        ['checks/all.mjs', 'check node checks/all.mjs'],
        ['checks/one.mjs', 'check node checks/one.mjs'],
      ]),
    );
  });
});
