import { expect, test } from 'vitest';
import { followConfiguration } from '../../src/evidence/follow-configuration.ts';

/** What is named by the configuration among these files, those without a text being empty. */
async function followed(texts: Readonly<Record<string, string>>, others: readonly string[] = []) {
  const paths = new Set([...Object.keys(texts), ...others]);
  const found = await followConfiguration(paths, async (path) => texts[path] ?? null);
  return { ...found, files: Object.fromEntries(found.files) };
}

test('V2 modules that run before tests, in JSON, YAML and code', async () => {
  const { files } = await followed(
    {
      'package.json': JSON.stringify({
        main: './src/index.js',
        jest: { setupFiles: ['<rootDir>/tools/jest.js'], transform: { 'src/index.js': './tools/transform.js' } },
        mocha: { spec: 'checks/**/*.mjs' },
      }),
      'web/.mocharc.yml': 'require:\n  - ./hooks.js\nspec: acceptance/*.js\n',
      'vitest.config.ts': `
        // setupFiles: ['./tools/old.ts']
        import { shared } from './tools/shared.js';
        import { entry } from 'some-package';
        const test = { setupFiles: './tools/setup.ts', ...shared };
        export default { build: { lib: { entry: './src/index.js' } }, test };`,
      'playwright.config.ts':
        "export default defineConfig({ testDir: './acceptance', reporter: [['list'], ['./tools/report']] })",
    },
    [
      'src/index.js',
      'tools/jest.js',
      'tools/transform.js',
      'tools/setup.ts',
      'tools/shared.ts',
      'tools/old.ts',
      'tools/report.ts',
      'checks/deep/a.mjs',
      'acceptance/b.ts',
      'web/hooks.js',
      'web/acceptance/c.js',
    ],
  );
  expect(files).toEqual({
    'tools/jest.js': 'package.json',
    'tools/transform.js': 'package.json',
    'checks/deep/a.mjs': 'package.json',
    'web/hooks.js': 'web/.mocharc.yml',
    'web/acceptance/c.js': 'web/.mocharc.yml',
    'tools/setup.ts': 'vitest.config.ts',
    'tools/shared.ts': 'vitest.config.ts',
    'tools/report.ts': 'playwright.config.ts',
    'acceptance/b.ts': 'playwright.config.ts',
  });
});

test('V2 parts of a configuration are read as configuration of its kind, and what they import', async () => {
  const { files, code } = await followed(
    {
      'vitest.config.ts': `import './tools/one.ts'; export { x } from './tools/two';`,
      'tools/one.ts': `const three = require('./three.cjs'); export default { globalSetup: ['./global.ts'] };`,
      'tools/two.ts': `const lazy = import('./one.ts');`,
      'tools/three.cjs': '',
      'tools/global.ts': `import { db } from '../src/db.ts';`,
      'tsconfig.json':
        '{ /* strict */ "extends": ["./tools/strict.json", "@tsconfig/node20/tsconfig.json"], "files": ["src/db.ts"] }',
      'tools/strict.json': '{"extends": "./stricter"}',
    },
    ['src/db.ts', 'tools/stricter.json'],
  );
  expect(files).toEqual({
    'tools/one.ts': 'vitest.config.ts',
    'tools/two.ts': 'vitest.config.ts',
    'tools/three.cjs': 'tools/one.ts',
    'tools/global.ts': 'tools/one.ts',
    'tools/strict.json': 'tsconfig.json',
    'tools/stricter.json': 'tools/strict.json',
  });
  expect(code).toEqual(['vitest.config.ts', 'tools/one.ts', 'tools/two.ts', 'tools/three.cjs']);
});

test('V2 paths that lead out, computed ones and patterns of sources name nothing', async () => {
  const { files } = await followed(
    {
      'jest.config.js':
        "module.exports = { setupFiles: ['../out.js', '/etc/x.js', `${here}/a.js`], collectCoverageFrom: ['a.js'], testMatch: ['!a.js'] };",
    },
    ['a.js', 'out.js', 'etc/x.js'],
  );
  expect(files).toEqual({});
});

test('V2 configuration that cannot be read is told', async () => {
  const { unread, files } = await followed({}, ['.mocharc.json', 'src/a.ts']);
  expect({ unread, files }).toEqual({ unread: ['.mocharc.json'], files: {} });
});

test('V2 a text that opens comments and strings without end is read in a time that grows with its length', async () => {
  const texts = ['/*', '"', '`', 'extends:', 'extends: [', '{"a":'].map((part) => part.repeat(200_000));
  for (const text of texts) {
    const { files } = await followed({ 'vitest.config.ts': text, 'a.ts': '' });
    expect(files).toEqual({});
  }
});
