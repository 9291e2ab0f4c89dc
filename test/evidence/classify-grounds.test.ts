import { describe, expect, test } from 'vitest';
import { type GroundRules, groundsAmong, unmatched } from '../../src/evidence/classify-grounds.ts';
import { isMade } from '../../src/evidence/never-given.ts';
import { fc } from '../support/fast-check.ts';

const NONE: GroundRules = { protect: [], unprotect: [], checks: new Map(), configuration: new Map() };
const reasonOf = (path: string, rules: Partial<GroundRules> = {}) =>
  groundsAmong([path], { ...NONE, ...rules }).grounds.get(path)?.reason ?? null;

describe('V2 grounds by convention', () => {
  test.each([
    ['test-folder', 'test/a.js'],
    ['test-folder', 'packages/a/__snapshots__/deep/er/x.snap'],
    ['test-folder', 'pkg/testdata/input.txt'],
    ['test-folder', 'crates/a/benches/speed.rs'],
    ['test-folder', 'tests/it.rs'],
    ['test-folder', 'test/package.json'],
    ['test-folder', 'Tests/Unit.cs'],
    ['test-folder', 't/sum.t'],
    ['test-file', 'lib/t/sum.t'],
    ['test-folder', 'snapshots/a.json'],
    ['test-folder', 'app/specs/a.js'],
    ['test-file', 'test.mjs'],
    ['test-file', 'test-sum.cjs'],
    ['test-file', 'index.test-d.ts'],
    ['test-file', 'app/sum.cy.ts'],
    ['test-file', 'app/models/user_spec.rb'],
    ['test-file', 'src/SumTest.java'],
    ['test-file', 'run.bats'],
    ['configuration', '.shellcheckrc'],
    ['configuration', 'xo.config.js'],
    ['configuration', 'CMakeLists.txt'],
    ['configuration', 'phpunit.xml.dist'],
    ['tasks', 'Rakefile'],
    ['tasks', '.gitlab-ci.yml'],
    ['environment', 'mise.toml'],
    ['test-file', 'src/sum.test.ts'],
    ['test-file', 'src/sum.spec.mjs'],
    ['test-file', 'src/App.test.tsx'],
    ['test-file', 'src/a.snap'],
    ['test-file', 'pkg/sum_test.go'],
    ['test-file', 'app/test_sum.py'],
    ['test-file', 'app/sum_test.py'],
    ['test-file', 'app/conftest.py'],
    ['test-folder', 'app/golden/sum.txt'],
    ['test-file', 'src/sum-test.js'],
    ['test-file', 'src/sum_test.ts'],
    ['test-file', 'src/sum.test.js.snapshot'],
    ['test-file', 'shop/tests.py'],
    ['configuration', 'vitest.config.ts'],
    ['configuration', '.editorconfig'],
    ['configuration', 'pytest.toml'],
    ['configuration', 'crates/a/build.rs'],
    ['import-hook', 'mine.egg-info/entry_points.txt'],
    ['package-manager', '.yarn/releases/yarn-4.cjs'],
    ['configuration', 'vitest.unit.config.mts'],
    ['configuration', 'jest-e2e.config.js'],
    ['configuration', 'jest.config.integration.js'],
    ['configuration', 'karma.conf.js'],
    ['configuration', 'packages/a/tsconfig.build.json'],
    ['configuration', '.mocharc.yml'],
    ['configuration', '.eslintrc'],
    ['configuration', 'biome.jsonc'],
    ['configuration', '.stylelintrc.json'],
    ['configuration', 'stylelint.config.mjs'],
    ['configuration', 'postcss.config.cjs'],
    ['configuration', 'setup.cfg'],
    ['configuration', 'pyrightconfig.json'],
    ['configuration', '.pylintrc'],
    ['configuration', 'clippy.toml'],
    ['configuration', '.golangci.yml'],
    ['configuration', 'pytest.ini'],
    ['configuration', '.ruff.toml'],
    ['configuration', '.cargo/config.toml'],
    ['import-hook', 'sitecustomize.py'],
    ['import-hook', 'src/x.pth'],
    ['package-manager', '.npmrc'],
    ['package-manager', 'go.work'],
    ['package-manager', '.pnp.cjs'],
    ['tasks', 'Makefile'],
    ['tasks', 'makefile'],
    ['tasks', 'build/rules.mk'],
    ['tasks', 'Taskfile.yml'],
    ['tasks', '.github/workflows/ci.yml'],
    ['environment', '.env.test'],
    ['environment', '.envrc'],
    ['environment', 'rust-toolchain.toml'],
    ['git-rules', 'src/.gitignore'],
    ['keys', 'packages/a/package.json'],
    ['keys', 'pyproject.toml'],
    ['keys', 'go.mod'],
    ['keys', 'Cargo.toml'],
  ])('V2 %s: %s', (reason, path) => expect(reasonOf(path)).toBe(reason));

  test.each([
    'src/test.ts',
    'src/contest.py',
    'src/latest/a.ts',
    'src/specs.ts',
    'next.config.js',
    'src/vite.ts',
    'src/environment.ts',
    'package-lock.json',
    'Cargo.lock',
    'src/job-spec.ts',
    'docs/testing.md',
    'src/jest/index.ts',
    'cargo/a.rs',
  ])('V2 no ground: %s', (path) => expect(reasonOf(path)).toBeNull());

  test('V2 a name with any characters does not evade its folder', () => {
    const name = fc.string({ unit: fc.constantFrom('a', '\n', ' ', '*', '[', '!', '{', 'é', '.', '\\') });
    fc.assert(
      fc.property(name, name, (folder, file) => {
        fc.pre(![folder, file].some((one) => ['', '.', '..'].includes(one)));
        expect(reasonOf(`${folder}/tests/${file}`)).toBe('test-folder');
        expect(reasonOf(`tests/${folder}/${file}`)).toBe('test-folder');
      }),
    );
  });
});

const path = fc
  .array(fc.constantFrom('src', 'test', 'checks', 'a.ts', 'a.test.ts', 'package.json', '.env', 'Makefile', 'run.mjs'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((names) => names.join('/'));
const glob = fc.oneof(
  path,
  path.map((one) => `${one}/**`),
  fc.constantFrom('**', '*.ts', 'src', 'checks/', '**/*.mjs'),
);
const rulesOf = (files: readonly string[], [protect, unprotect]: readonly [string[], string[]]): GroundRules => ({
  protect,
  unprotect,
  checks: new Map(files.filter((one) => one.endsWith('run.mjs')).map((one) => [one, 'npm test'])),
  configuration: new Map(files.filter((one) => one.endsWith('a.ts')).map((one) => [one, 'vitest.config.ts'])),
});
const globs = fc.tuple(fc.array(glob, { maxLength: 3 }), fc.array(glob, { maxLength: 3 }));

describe('V2 protect, unprotect and conventions', () => {
  test('V2 the order of files and of globs changes no ground', () => {
    fc.assert(
      fc.property(fc.uniqueArray(path), globs, (files, [protect, unprotect]) => {
        const rules = rulesOf(files, [protect, unprotect]);
        const turned = { ...rules, protect: protect.toReversed(), unprotect: unprotect.toReversed() };
        const one = groundsAmong(files, rules);
        const other = groundsAmong(files.toReversed(), turned);
        const reasons = ({ grounds }: typeof one) =>
          Object.fromEntries([...grounds].map(([file, { reason }]) => [file, reason]));
        expect(reasons(other)).toEqual(reasons(one));
        expect(other.released.toSorted()).toEqual(one.released.toSorted());
      }),
    );
  });

  test('V2 what protect names is a ground, whatever unprotect says, and nothing else is that unprotect names', () => {
    fc.assert(
      fc.property(fc.uniqueArray(path), globs, (files, [protect, unprotect]) => {
        const rules = rulesOf(files, [protect, unprotect]);
        const { grounds, released } = groundsAmong(files, rules);
        const named = new Set(files.filter((one) => reasonOf(one, { protect: unprotect }) === 'protect'));
        const kept = new Set(files.filter((one) => reasonOf(one, { protect }) === 'protect'));
        for (const [file, { reason }] of grounds) expect(reason === 'protect').toBe(kept.has(file));
        expect(files.filter((one) => kept.has(one) && !grounds.has(one))).toEqual([]);
        expect([...grounds.keys()].filter((one) => named.has(one) && !kept.has(one))).toEqual([]);
        const before = groundsAmong(files, { ...rules, unprotect: [] }).grounds;
        expect(released).toEqual(files.filter((one) => before.has(one) && !grounds.has(one)));
      }),
    );
  });

  test('V2 a name without a slash counts at every level, and a folder for all that is in it', () => {
    const protect = ['checks'];
    expect(['checks/a', 'b/checks/c/d', 'b/checks'].map((file) => reasonOf(file, { protect }))).toEqual(
      Array(3).fill('protect'),
    );
    expect(reasonOf('b/checks/x', { protect: ['b/checks/'] })).toBe('protect');
    expect(reasonOf('c/b/checks/x', { protect: ['b/checks'] })).toBeNull();
    expect(reasonOf('app/[id]/run.ts', { protect: ['app/[id]/run.ts'] })).toBe('protect');
    expect(reasonOf('app/(auth)/run.ts', { protect: ['./app/(auth)'] })).toBe('protect');
  });

  test('V2 globs that fit no file are told', () =>
    expect(unmatched(['checks', 'nowhere/**', 'src/*.ts'], ['a/checks/b', 'src/c.js'])).toEqual([
      'nowhere/**',
      'src/*.ts',
    ]));
});

test('V2 output of builds and caches are told from sources', () => {
  const made = ['target', 'packages/a/dist', 'node_modules/.vite', 'src/__pycache__', 'x/tsconfig.tsbuildinfo'];
  expect([...made, 'node_modules', 'distribution', '.env'].filter((one) => isMade(one))).toEqual(made);
});
