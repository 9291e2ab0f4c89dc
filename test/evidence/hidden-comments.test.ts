import { expect, test } from 'vitest';
import { SuppressionCount } from '../../src/evidence/suppression-count.ts';
import { cpuTime } from '../support/cpu-time.ts';

type Patched = Readonly<Record<string, string>>;

/** The count for a patch that adds files. */
function added(files: Patched): number {
  const count = new SuppressionCount('all');
  for (const [path, text] of Object.entries(files)) {
    const head = [`diff --git a/${path} b/${path}`, '--- /dev/null', `+++ b/${path}`, '@@ -0,0 +1 @@'];
    for (const line of [...head, ...text.split('\n').map((one) => `+${one}`)]) count.add(line);
  }
  return count.total();
}

// What is text and what comment, a work could let us take for each other. Each of these is code of its language.
test.each<[path: string, code: string, count: number]>([
  ['a.tsx', "const a = <b>'</ b>; /* eslint-disable */ const c = <b>'</ b>;", 1],
  ['a.tsx', 'const a = <b x="\\" / //\n>; /* eslint-disable */ const c = "";', 1],
  ['a.js', "const a = <b>'< /b>; /* eslint-disable */ const c = <b>'< /b>;", 1],
  ['a.py', "x = f\"{ '}' + '\"' }\"  # type: ignore # '", 1],
  ['a.py', "x = f\"{x:'}{ '}' + '\"' }\"  # type: ignore # '", 1],
  ['a.py', "x = f\"{''' '} '''+'\"'}\"  # type: ignore # '", 1],
  ['a.py', 'x = f"{\n1}" # type: ignore "', 1],
  ['a.py', 'x = f"{x!r:>{width}} {{ {y}" + "# nosec"', 0],
  ['a.rs', "let a = ['😀','\"'];\n#![allow(x)]\nlet b = \"\";", 1],
  ['a.rs', "let a = ['\\u{0_0_0_0_2_2}','\"'];\n#![allow(x)]\nlet b = \"\";", 1],
  ['a.rs', 'm!(bar"\\"");\n#![allow(x)]\nlet b = "";', 1],
  ['a.rs', "fn f<'a,'b>(x: &'a str) -> char { '\"' } // '\nlet s = \"#![allow(x)]\";", 0],
  ['a.go', "x := []rune{'😀','\"'} //lint:ignore U1 \"", 1],
  ['a.c', '#define R\nchar *a = R"(";\n#pragma GCC diagnostic ignored "-Wall"\nchar *b = R")";', 1],
  ['a.kt', 'fun `a\'`() {}; @Suppress("x") val y = 1 // \'', 1],
  ['a.kt', 'fun `it is not\'`() = "NOSONAR"', 0],
  ['a.cs', '#region @"\n#pragma warning disable 1\n#endregion "', 1],
  ['a.cs', '#if false\n@"\n#endif\n#pragma warning disable 1\n// "', 1],
])('V14 given %s whose comment looks like a text, then it counts as it is: %s', (path, code, count) => {
  expect(added({ [path]: code })).toBe(count);
});

test.each<[what: string, path: string, code: string]>([
  ['an annotation with its package', 'A.java', '@java.lang.SuppressWarnings("all") class A {}'],
  ['an annotation behind a blank', 'A.java', '@ SuppressWarnings("all") class A {}'],
  ['an annotation whose sign is escaped', 'A.java', '\\u0040Suppress\\u0057arnings("all") class A {}'],
  ['one of several annotations', 'a.kt', '@file:[Suppress("x") JvmName("y")]'],
  ['an attribute with blanks', 'a.rs', '# ! [ allow (x) ]'],
  ['an attribute over lines', 'a.rs', '#[\n  allow\n(x)]'],
  ['a pragma with blanks', 'a.c', '#  pragma\tGCC\tsystem_header'],
  ['a setting of mypy', 'a.py', '# mypy: disallow-untyped-defs=False'],
  ['a setting of mypy among others', 'a.py', '# mypy: strict-equality, check_untyped_defs = false'],
  ['a pragma over two lines', 'a.c', '#pragma GCC sys\\ \ntem_header'],
])('V14 given %s, written as its tool takes it, then it is a suppression', (_what, path, code) => {
  expect(added({ [path]: code })).toBe(1);
});

test.each(['#', '@', '@ ', '#\n', '@/**/', '# mypy:', '@a.', '#[cfg_attr(\n'])(
  'V14 given a file of %j alone, when its suppressions are counted, then that takes no long time',
  (part) => {
    const took = cpuTime(() => {
      expect(added({ 'a.unknown': part.repeat(200_000 / part.length) })).toBe(0);
    });
    expect(took).toBeLessThan(2_000);
  },
);

test('V14 given a file of data with a suppression, when code takes it in, then it counts, and otherwise not', () => {
  const quiet = { 'src/quiet.txt': '#pragma GCC diagnostic ignored "-Wall"' };
  expect(added({ ...quiet, 'src/a.c': 'int a;' })).toBe(0);
  expect(added({ ...quiet, 'README.md': 'See src/quiet.txt.' })).toBe(0);
  expect(added({ ...quiet, 'src/a.c': '#include "quiet.txt"' })).toBe(1);
  expect(added({ 'a.rs': '#[path = "deep.md"] mod deep;', 'deep.md': '#![allow(x)]' })).toBe(1);
});
