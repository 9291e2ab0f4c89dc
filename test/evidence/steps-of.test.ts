import { describe, expect, test } from 'vitest';
import type { Check } from '../../machines/settings.ts';
import { MAX_STEPS, stepsOf } from '../../src/evidence/steps/steps-of.ts';

const check = (command: string, more: Partial<Check> = {}): Check => ({
  level: 'L1',
  name: 'it',
  command,
  timeoutMs: 1_000,
  ...more,
});
const manifest = (scripts: Readonly<Record<string, string>>, more: object = {}) => JSON.stringify({ scripts, ...more });

function cut(command: string, files: Readonly<Record<string, string>> = {}, folder = '') {
  const paths = Object.keys(files);
  const has = (path: string) => paths.some((one) => one === path || one.startsWith(`${path}/`));
  return stepsOf(check(command), folder, { files: new Map(Object.entries(files)), has });
}
const commands = (...of: Parameters<typeof cut>) => cut(...of)?.map(({ command }) => command) ?? null;
const names = (...of: Parameters<typeof cut>) => cut(...of)?.map(({ name }) => name) ?? null;
const bin = (name: string, path = '$PWD/node_modules/.bin') => `PATH="${path}:$PATH" npm_lifecycle_event='${name}' `;

describe('V17 a check of several commands has a step for each', () => {
  test.each<[string, readonly string[]]>([
    ['eslint . && vitest run', ['eslint .', 'vitest run']],
    ['a | b && ! c && (d; e) && CI=1 f > g', ['a | b', '! c', '(d; e)', 'CI=1 f > g']],
    ['cd web && a && cd x && b', ['cd web && a', 'cd web && cd x && b']],
    [
      'export A=1 && B=2 && . ./env && set -e && a && b',
      ['a', 'b'].map((one) => `export A=1 && B=2 && . ./env && set -e && ${one}`),
    ],
  ])('V17 %s', (command, expected) => expect(commands(command)).toEqual(expected));

  test.each([
    'vitest run',
    'a; b',
    'a || b',
    'a && b || c',
    'a & b',
    '(a && b)',
    '{ a; } && b',
    'a && cd x',
    'a\nb',
    'a && b <<E\nE',
    'a && echo $?',
    'a && b "',
    'X=$(a) && b && c',
    'exec 3>x && a && b',
    'if a; then b; fi && c',
    'cd "$X" && a && b',
    ': ${A:=b} && c && d',
    'a && trap b EXIT && c',
  ])('V17 what may leave something to the next step is not cut: %s', (command) => expect(cut(command)).toBeNull());

  test('V17 a step has the time, level and network of its check, and its own name; the last one has the report', () => {
    const whole = check('a && b && a', { network: true, reads: true, report: 'r.xml' });
    const { report, ...shared } = whole;
    expect(stepsOf(whole, '', { files: new Map(), has: () => false })).toEqual([
      { ...shared, name: 'it: a', command: 'a' },
      { ...shared, name: 'it: b', command: 'b' },
      { ...shared, name: 'it: a (2)', command: 'a', report },
    ]);
  });

  test('V17 more steps than are told apart are one', () => {
    const list = (count: number) => Array.from({ length: count }, (_, at) => `a${at}`).join(' && ');
    expect(cut(list(MAX_STEPS))).toHaveLength(MAX_STEPS);
    expect(cut(list(MAX_STEPS + 1))).toBeNull();
  });
});

describe('V17 scripts of packages are followed', () => {
  const around = { 'package.json': manifest({ pretest: 'tsc', test: 'vitest run', posttest: 'node lint.mjs' }) };

  test.each(['npm test', 'npm t', 'npm run test', 'npm --silent test'])(
    'V17 what npm runs around one: %s',
    (command) => {
      expect(names(command, around)).toEqual(['it: tsc', 'it: vitest run', 'it: node lint.mjs']);
      expect(commands(command, around)?.[1]).toBe('npm run test --ignore-scripts');
    },
  );

  test('V17 a script that calls scripts is cut at each of them', () => {
    const files = {
      'package.json': manifest({ test: 'npm run lint && npm run unit', lint: 'eslint . && tsc', unit: 'vitest' }),
    };
    expect(names('npm test', files)).toEqual(['it: eslint .', 'it: tsc', 'it: npm run unit']);
    expect(commands('npm test', files)).toEqual([
      `${bin('lint')}eslint .`,
      `${bin('lint')}tsc`,
      `${bin('test')}npm run unit`,
    ]);
  });

  test('V17 programs are found as in the package, from wherever the script goes', () => {
    const files = { 'web/package.json': manifest({ test: 'a && cd src && b | c' }), 'web/src/x.js': '' };
    const [one, other] = commands('cd web/src && npm test', files) ?? [];
    expect(one).toBe(
      `cd web/src && cd .. && ${bin('test', '$PWD/../web/node_modules/.bin:$PWD/../node_modules/.bin')}a`,
    );
    const path = '$PWD/../../web/node_modules/.bin:$PWD/../../node_modules/.bin';
    expect(other).toBe(`cd web/src && cd .. && cd src && ${bin('test', path)}sh -c 'b | c'`);
  });

  test.each<[string, string, Readonly<Record<string, string>>]>([
    ['another package', 'npm test -w web', around],
    ['further arguments', 'npm test -- --watch', around],
    ['a manager that may not run them', 'pnpm test', around],
    ['a manager of an unknown version', 'yarn test', around],
    ['a manager that is told to run none', 'npm test', { ...around, '.npmrc': 'ignore-scripts=true\n' }],
    ['another shell', 'npm test', { ...around, '.npmrc': 'script-shell=/bin/x\n' }],
    ['what npm alone puts in', 'npm test', { 'package.json': manifest({ test: 'a $npm_package_name && b' }) }],
    ['a script that is not there', 'npm test', { 'package.json': manifest({}) }],
    ['Node, which runs none around one', 'node --run test', around],
  ])('V17 it is not cut where that is not sure: %s', (_what, command, files) => expect(cut(command, files)).toBeNull());

  test('V17 --ignore-scripts of a step does not reach the scripts that it calls', () => {
    const files = {
      'package.json': manifest({ pretest: 'tsc', test: 'npm run b; npm run c', b: 'x', prec: 'z', c: 'y' }),
    };
    expect(commands('npm test', files)).toEqual([
      'npm run pretest --ignore-scripts',
      `${bin('test')}sh -c 'npm run b; npm run c'`,
    ]);
  });

  test('V17 a script that calls itself is cut into a finite number of steps', () => {
    const files = { 'package.json': manifest({ test: 'a && npm test' }) };
    expect(names('npm test', files)?.at(-1)).toBe('it: npm test');
  });

  test.each(['pnpm test', 'yarn test', 'bun run test', 'node --run test'])(
    'V17 a list in a script is cut for %s',
    (command) => {
      expect(names(command, { 'package.json': manifest({ test: 'tsc && vitest' }) })).toEqual([
        'it: tsc',
        'it: vitest',
      ]);
    },
  );

  test('V17 the first Yarn runs the same scripts around one as npm', () => {
    const scripts = { pretest: 'tsc', test: 'vitest' };
    expect(names('yarn test', { 'package.json': manifest(scripts, { packageManager: 'yarn@1.22.22' }) })).toHaveLength(
      2,
    );
    expect(names('yarn test', { 'package.json': manifest(scripts, { packageManager: 'yarn@4.1.0' }) })).toBeNull();
  });
});

describe('V17 recipes of make are followed', () => {
  const recipe = '.PHONY: test lint\n\ntest: lint\n\t@vitest run\n\ta; b\n\nlint:\n\teslint . && tsc\n';

  test.each(['make test', 'make'])('V17 those before a target come first: %s', (command) => {
    expect(commands(command, { Makefile: recipe })).toEqual(['eslint .', 'tsc', 'vitest run', "sh -c 'a; b'"]);
  });

  test.each<[string, string]>([
    ['a variable', `X = 1\n${recipe}`],
    ['a variable in a command', recipe.replace('vitest', '$(RUN)')],
    ['a failure that does not count', recipe.replace('@vitest', '-vitest')],
    ['another file', `include other.mk\n${recipe}`],
    ['a condition', `ifdef X\n${recipe}endif\n`],
    ['a pattern', `${recipe}%.o: x\n\tcc x\n`],
    ['a target that may be up to date', recipe.replace('.PHONY: test lint\n', '').replaceAll('lint', 'src')],
    ['a line that goes on', recipe.replace('vitest run', 'vitest \\\n\trun')],
    ['one shell for all lines', `.ONESHELL:\n${recipe}`],
  ])('V17 a file with %s is not cut', (_what, text) =>
    expect(cut('make test', { Makefile: text, 'src/a.js': '' })).toBeNull(),
  );

  test.each(['make -k test', 'make test X=1', 'make lint test'])(
    'V17 nor is a call of more than a target: %s',
    (command) => expect(cut(command, { Makefile: recipe })).toBeNull(),
  );
});
