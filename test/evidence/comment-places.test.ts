import { expect, test } from 'vitest';
import { commentPlaces } from '../../src/evidence/comment-places.ts';
import { SuppressionCount } from '../../src/evidence/suppression-count.ts';

/** By how many suppressions a file has more after a patch than before it. */
function added(path: string, before: string, after: string): number {
  const count = new SuppressionCount('all');
  const lines = (sign: string, text: string) => text.split('\n').map((line) => `${sign}${line}`);
  const hunk = [...lines('-', before), ...lines('+', after)];
  for (const line of [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`, '@@ -1 +1 @@', ...hunk])
    count.add(line);
  return count.total();
}

const BACKTICK = '`';

test.each<[path: string, code: string, count: number]>([
  ['a.js', 'export const words = [\'eslint-disable\', "@ts-ignore"];', 0],
  ['a.ts', `const page = ${BACKTICK}// @ts-nocheck \${one /* eslint-disable */} NOSONAR${BACKTICK};`, 1],
  ['a.mjs', 'const found = text.match(/eslint-disable|NOSONAR/);', 0],
  ['a.js', "say('it'); // eslint-disable-line", 1],
  ['a.js', "if (x) /'/.test(y); // eslint-disable-line it's", 1],
  ['a.js', 'let n = i++ / "/"; /* eslint-disable */ say("a");', 1],
  ['a.js', 'let n = i++ / b[0 /* eslint-disable */] / 1;', 1],
  ['a.js', '#!/usr/bin/env node `\n// eslint-disable-next-line\nsay(`a`);', 1],
  ['a.ts', 'let x = a! / 2; // "eslint-disable"', 1],
  ['a.ts', 'x = a.of / "/"; /* eslint-disable */ say("a");', 1],
  ['a.ts', 'if (x) /[/*]/.test(y);\nsay(`a */ b`); // @ts-ignore `', 1],
  ['a.ts', 'const is = !/NOSONAR/.test(x) && !/eslint-disable/.test(y);', 0],
  ['a.jsx', "const a = <p>don't</p>; /* eslint-disable */ const b = <p>can't</p>;", 1],
  ['a.tsx', "const a = 'eslint-disable';", 0],
  ['a.py', 'NAMES = ["# nosec", \'# type: ignore\']', 0],
  ['a.py', '"""\n# nosec\n"""\nx = 1  # nosec', 1],
  ['a.py', 'x = f"{\'"\'}"  # type: ignore \'', 1],
  ['a.py', 'x = f"{d[\'# nosec\']}"  # it', 0],
  ['a.py', '@typing.no_type_check\ndef f(): pass', 1],
  ['a.go', 'x := `//lint:ignore` + "//lint:ignore" //lint:ignore', 1],
  ['a.go', "r := '\"' //lint:ignore\ns := '\"'", 1],
  ['a.rs', 'let s = r#"#[allow(x)] " "#; let c = \'"\';\n#![allow(x)]', 1],
  ['a.rs', "fn f<'a>(x: &'a str) {} // '\n#[allow(dead_code)]", 1],
  ['a.rs', '/* /* */ " */\n#![allow(x)] // "', 1],
  ['a.c', 'char *s = "NOSONAR"; /* NOSONAR */', 1],
  ['a.cpp', "int a = 1'0; /* NOSONAR */ int b = 1'0;", 1],
  ['a.cpp', 'auto s = R"x(" NOSONAR )x"; // NOSONAR', 1],
  // Their tools look at lines.
  ['a.py', 'x = "# noqa"', 1],
  ['a.js', 'say(`\n/* c8 ignore next */\n`);', 1],
  ['a.c', 'char *s = "NOLINT";', 1],
  ['a.c', '_Pragma("clang diagnostic ignored \\"-Wall\\"") char *s = "NOSONAR";', 1],
  ['a.c', '_Pragma("GCC system_header")', 1],
  ['a.c', '#pragma GCC system_header', 1],
  ['a.c', '# 1 "a.c" 3', 1],
  ['A.java', '@SuppressWarnings("all") class A { String s = """\n NOSONAR """; }', 1],
  ['A.java', 'String s = \\u0022; // NOSONAR \\u0022', 1],
  ['a.kt', '@Suppress("x") fun f() = "NOSONAR"', 1],
  ['a.kt', 'val s = "${"a" /* NOSONAR */}"', 1],
  ['a.cs', '#pragma warning disable 1\nvar s = @"\\"; // NOSONAR\nvar t = "NOSONAR";', 2],
  ['a.json', '{ "rule": "eslint-disable" }', 0],
  ['a.md', 'Write `// eslint-disable` there.', 0],
  ['a.md', '<!-- markdownlint-disable MD001 -->', 1],
  ['notes.txt', 'eslint-disable', 0],
  ['a.vue', "<script>const a = 'eslint-disable';</script>", 1],
  ['a.unknown', "x = 'eslint-disable'", 1],
])('V14 suppressions of %s are those in its comments and its code: %s', (path, code, count) => {
  expect(added(path, '', code)).toBe(count);
  expect(added(path, code, code)).toBe(0);
  expect(added(path, code, '')).toBe(-count || 0);
});

test('V14 given a comment that begins in a line which is as before, when rules are set in it, then it counts', () => {
  const count = new SuppressionCount('all');
  for (const line of ['diff --git a/a.js b/a.js', '--- a/a.js', '+++ b/a.js', '@@ @@', ' /*', '+eslint no-undef: 0 */'])
    count.add(line);
  expect(count.total()).toBe(1);
});

test('V14 given a file of which one side is not sure, then neither text hides what the other one adds', () => {
  const unsure = "const a = <p>'</p>; const b = 'eslint-disable eslint-disable';";
  expect(added('a.js', unsure, '// eslint-disable\n// eslint-disable')).toBe(0);
  expect(added('a.js', "const b = 'eslint-disable';", '// eslint-disable')).toBe(1);
});

test('V14 given several files, a removed one and a name with quotes, then each goes by its own ending', () => {
  const count = new SuppressionCount('all');
  const removed = [
    'diff --git a/a.py b/a.py',
    '--- a/a.py',
    '+++ /dev/null',
    '@@ @@',
    '-x = "# nosec"',
    '-y = 1 # nosec',
  ];
  const quoted = [
    'diff --git "a/\\303.md" "b/\\303.md"',
    '--- "a/\\303.md"',
    '+++ "b/\\303.md"',
    '@@ @@',
    '+// eslint-disable',
  ];
  for (const line of [...removed, ...quoted]) count.add(line);
  expect(count.total()).toBe(-1);
});

test('V14 a large file is looked through by its changed lines', () => {
  const count = new SuppressionCount('all');
  const line = `+${'x'.repeat(999)}`;
  for (let at = 0; at < 1_100; at += 1) count.add(line);
  count.add('+// @ts-nocheck');
  expect(count.total()).toBe(1);
});

test('V14 texts in code are replaced by spaces, line by line', () => {
  expect(commentPlaces('a.py', 'x = "# noqa"  # it\n')?.places).toBe('x = "      "  # it\n');
  expect(commentPlaces('a.go', 'a := `b\nc`')?.places).toBe('a := ` \n `');
});
