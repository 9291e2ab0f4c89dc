import { expect, test } from 'vitest';
import type { CheckResult } from '../../../../machines/events.ts';
import { checkErrors, foundInChecks } from '../../../../src/loops/improvement/discovery/check-errors.ts';
import { errorKind } from '../../../../src/loops/improvement/discovery/error-kind.ts';
import { fileIn } from '../../../../src/loops/improvement/discovery/finding-facts.ts';

const FILES = fileIn(['src/a.ts', 'src/b.ts']);

const ran = (output: string, more: Partial<CheckResult> = {}) => ({
  levels: [
    {
      level: 'L0' as const,
      passed: false,
      checks: [{ name: 'c', passed: false, output, exitCode: 1, durationMs: 1, ...more }],
    },
  ],
  tests: [],
});
const by = (command: string) => [{ name: 'c', command }];

const KINDS = [
  ['tsc --noEmit', 'types'],
  ['npx --no tsc -p . && vitest run', 'types'],
  ['node node_modules/.bin/tsc', null],
  ['npm run types', 'types'],
  ['npm run lint', 'lint'],
  ['eslint . --max-warnings 0', 'lint'],
  ['biome check', 'lint'],
  ['python3 -m mypy pkg', 'types'],
  ['cargo clippy -- -D warnings', 'lint'],
  ['cargo check', 'types'],
  ['npm test', null],
  ['go test ./...', null],
] as const;

for (const [command, kind] of KINDS) {
  test(`I9 the command \`${command}\` ${kind === null ? 'neither compiles nor lints' : `is of ${kind}`}`, () => {
    expect(errorKind({ name: 'c', command })).toBe(kind);
  });
}

test('I6 a type error counts 0.9, a lint error 0.7, a warning of a linter 0.4', () => {
  const line = (severity: string) => `src/a.ts:1:2: message of it [${severity}/rule]`;
  const { types } = checkErrors(ran('src/a.ts(1,2): error TS1: no'), by('tsc'), FILES);
  const { lint } = checkErrors(
    ran(`${line('Error')}\n${line('Warning').replace('a.ts', 'b.ts')}`),
    by('eslint .'),
    FILES,
  );
  expect(types.map(({ score, file, check }) => ({ score, file, check }))).toEqual([
    { score: 0.9, file: 'src/a.ts', check: 'c' },
  ]);
  expect(lint.map(({ score, file }) => [file, score])).toEqual([
    ['src/a.ts', 0.7],
    ['src/b.ts', 0.4],
  ]);
});

test('I9 the same error has the same fingerprint on another line, in another checkout', () => {
  const at = (line: number, folder: string) =>
    foundInChecks(ran(`${folder}src/a.ts(${line},2): error TS2322: no number`), by('tsc'), FILES);
  const [here = ''] = at(3, '').keys();
  expect(here).toMatch(/^[0-9a-f]{64}$/);
  expect([...at(70, '/tmp/checkout-17/').keys()]).toEqual([here]);
  expect([...at(3, 'lib/').keys()]).not.toEqual([here]);
});

test('I9 one error in several places of a file is one finding that names them', () => {
  const { types } = checkErrors(ran('src/a.ts(1,2): error TS1: no\nsrc/a.ts(9,2): error TS1: no'), by('tsc'), FILES);
  expect(types).toHaveLength(1);
  expect(types[0]?.summary).toContain('src/a.ts:1, src/a.ts:9');
});

test('I9 a stack trace in the output of a test is no finding, and an error of TypeScript is one in any check', () => {
  const { types, lint, others } = checkErrors(
    ran('src/a.ts:3:1: it stands here\nsrc/b.ts(1,1): error TS2304: no name\n'),
    by('npm test'),
    FILES,
  );
  expect([types.length, lint.length, others.length]).toEqual([1, 0, 0]);
});

test('I9 a check that fails and names nothing is a finding itself, of its kind', () => {
  const whole = (command: string) => checkErrors(ran('it broke'), by(command), FILES);
  expect(whole('make check').others).toMatchObject([{ source: 'failing-tests', score: 1, title: 'Check fails: c' }]);
  expect(whole('tsc').types).toMatchObject([{ source: 'type-errors', score: 0.9 }]);
  expect(whole('eslint .').lint).toMatchObject([{ source: 'lint', score: 0.7 }]);
  const passed = checkErrors(ran('it broke', { passed: true }), by('make check'), FILES);
  expect(passed.others).toEqual([]);
});
