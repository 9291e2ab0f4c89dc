import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { printedFindings } from '../../../../src/loops/improvement/discovery/finding-lines.ts';
import { plain } from '../../../../src/text/one-line.ts';
import { temporaryFolder } from '../../../git/repository.ts';
import { tenthOf } from '../../../support/tenth.ts';

interface Printed {
  readonly tool: string;
  readonly output: string;
  readonly path: string;
  readonly line: number;
  readonly rule: string | null;
  readonly severity: 'error' | 'warning' | null;
  readonly message: string;
}

const EQEQ = 'Expected === and instead saw ==';
const PRINTED: readonly Printed[] = [
  {
    tool: 'ESLint, stylish',
    output: `/p/src/a.js\n  12:5  error  ${EQEQ}  eqeqeq\n\n✖ 1 problem (1 error, 0 warnings)\n`,
    path: '/p/src/a.js',
    line: 12,
    rule: 'eqeqeq',
    severity: 'error',
    message: EQEQ,
  },
  {
    tool: 'ESLint, unix',
    output: `/p/src/a.js:12:5: ${EQEQ} [Error/eqeqeq]\n\n1 problem`,
    path: '/p/src/a.js',
    line: 12,
    rule: 'eqeqeq',
    severity: 'error',
    message: EQEQ,
  },
  {
    tool: 'ESLint, compact',
    output: `/p/src/a.js: line 12, col 5, Warning - ${EQEQ} (eqeqeq)`,
    path: '/p/src/a.js',
    line: 12,
    rule: 'eqeqeq',
    severity: 'warning',
    message: EQEQ,
  },
  {
    tool: 'Biome',
    output:
      'src/a.ts:1:7 lint/suspicious/noDoubleEquals ━━━━━━━━━━\n\n  × Use === instead of ==.\n\n    1 │ if (a == b) {}\n',
    path: 'src/a.ts',
    line: 1,
    rule: 'lint/suspicious/noDoubleEquals',
    severity: 'error',
    message: 'Use === instead of ==.',
  },
  {
    tool: 'a CI annotation',
    output: '::error file=src/a.ts,line=3,endLine=3,col=1,title=eslint(no-debugger)::src/a.ts:3:1: not allowed',
    path: 'src/a.ts',
    line: 3,
    rule: 'eslint(no-debugger)',
    severity: 'error',
    message: 'src/a.ts:3:1: not allowed',
  },
  {
    tool: 'mypy',
    output: 'pkg/a.py:3: error: Incompatible return value type (got "str", expected "int")  [return-value]',
    path: 'pkg/a.py',
    line: 3,
    rule: 'return-value',
    severity: 'error',
    message: 'Incompatible return value type (got "str", expected "int")',
  },
  {
    tool: 'ruff',
    output: 'pkg/a.py:1:8: F401 [*] `os` imported but unused',
    path: 'pkg/a.py',
    line: 1,
    rule: 'F401',
    severity: null,
    message: '[*] `os` imported but unused',
  },
  {
    tool: 'Rust',
    output: 'error[E0308]: mismatched types\n --> src/main.rs:2:5\n  |\n2 |     "x"\n',
    path: 'src/main.rs',
    line: 2,
    rule: 'E0308',
    severity: 'error',
    message: 'mismatched types',
  },
  {
    tool: 'GCC',
    output: 'a.c:3:2: warning: unused variable ‘x’ [-Wunused-variable]',
    path: 'a.c',
    line: 3,
    rule: '-Wunused-variable',
    severity: 'warning',
    message: 'unused variable ‘x’',
  },
  {
    tool: 'anything with file:line:col',
    output: './cmd/a.go:7:3: undefined: x',
    path: './cmd/a.go',
    line: 7,
    rule: null,
    severity: null,
    message: 'undefined: x',
  },
];

for (const { tool, output, ...expected } of PRINTED) {
  test(`I9 a finding of ${tool} is read with its file, rule and message`, () => {
    expect(printedFindings(output)).toEqual([expected]);
  });
}

const TSC = resolve('node_modules/typescript-native/bin/tsc');
const OXLINT = resolve('node_modules/.bin/oxlint');

/** What a real tool prints, whatever its status. */
const printedBy = (tool: string, args: readonly string[], folder: string): Promise<string> =>
  new Promise((done) => {
    execFile(process.execPath, [tool, ...args], { cwd: folder }, (_, stdout, stderr) => done(plain(stdout + stderr)));
  });

async function brokenProject(): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'a.ts'), 'export const a: number = "x";\ndebugger;\n');
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { strict: true, noEmit: true }, files: ['a.ts'] }),
  );
  return folder;
}

for (const pretty of tenthOf(['false', 'true'])) {
  test(`I9 what the installed tsc prints is read (pretty: ${pretty})`, async () => {
    const found = printedFindings(await printedBy(TSC, ['-p', '.', '--pretty', pretty], await brokenProject()));
    expect(found.map(({ path, line, rule, severity }) => ({ path, line, rule, severity }))).toEqual([
      { path: 'a.ts', line: 1, rule: 'TS2322', severity: 'error' },
    ]);
  });
}

for (const format of ['default', 'unix', 'stylish', 'github']) {
  test(`I9 what the installed oxlint prints is read (format ${format})`, async () => {
    const output = await printedBy(OXLINT, ['-f', format, '-D', 'no-debugger', 'a.ts'], await brokenProject());
    const found = printedFindings(output);
    expect(found.map(({ path, rule, severity }) => ({ path: path.split('/').at(-1), rule, severity }))).toEqual([
      { path: 'a.ts', rule: 'eslint(no-debugger)', severity: 'error' },
    ]);
    expect(found[0]?.message).toContain('`debugger` statement is not allowed');
  });
}

test('I9 sentences, times and summaries are no findings', () => {
  const output =
    'Finished in 48ms on 1 file\n\n1 problem\nFound 1 error in src/a.ts:1\n12:30:05: done\nTests: 3 passed\n';
  expect(printedFindings(output)).toEqual([]);
});
