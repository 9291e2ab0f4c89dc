import fc from 'fast-check';
import { expect, test } from 'vitest';
import { javascriptControl } from '../../src/evidence/control/javascript-control.ts';
import { type Control, mustFail } from '../../src/evidence/control/must-fail.ts';
import { pythonControl } from '../../src/evidence/control/python-control.ts';

const mark = { word: 'k1', numbers: [4020, 4021] } as const;
const controlled = (path: string, text: string): Control => {
  const control = mustFail(path, text, mark);
  if (!control) throw new Error('it takes none');
  return control;
};
const FILES = { javascript: 'a.test.ts', python: 'test_a.py', go: 'a_test.go', rust: 'tests/a.rs' } as const;
type Language = keyof typeof FILES;

/** A file with one test of these statements. */
const fileOf: Readonly<Record<Language, (body: string) => string>> = {
  javascript: (body) => `test('a', async (t) => {\n${body}\n});\n`,
  python: (body) => `def test_a():\n    ${body.replaceAll('\n', '\n    ')}\n`,
  go: (body) => `package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) {\n${body}\n}\n`,
  rust: (body) => `#[test]\nfn a() {\n${body}\n}\n`,
};
const formsOf = (language: Language, body: string) =>
  controlled(FILES[language], fileOf[language](body)).pairs.map(({ form }) => form);

const NODE = "import { test } from 'node:test';\n";
const usual = "\ntest('adds', () => { assert.equal(add(1, 2), 3) });";
test.each([
  ['an import on a line of its own', `${NODE}import assert from 'node:assert';${usual}`],
  ['two imports on a line', `import { test } from 'node:test'; import assert from 'node:assert';${usual}`],
  ['a comment before an import', `${NODE}/* here */ import assert from 'node:assert';${usual}`],
  ['an import without blanks', `${NODE}import assert from'node:assert';${usual}`],
  ['a name and braces without a blank', `${NODE}import assert,{equal} from 'node:assert';${usual}`],
  ['a module of its own', `${NODE}import { assert } from './asserts.mjs';${usual}`],
  ['a part of an import', `${NODE}import a from 'assert';\nconst { equal } = a;\ntest('b', () => { equal(f(1), 3) });`],
  ['an import that is awaited', `${NODE}const assert = await import('node:assert');${usual}`],
  ['several names of one const', `const { test } = require('node:test'), assert = require('assert');${usual}`],
  [
    'a require that is made',
    `${NODE}const need = createRequire(import.meta.url);\nconst assert = need('assert');${usual}`,
  ],
  ['assertions of the test', `${NODE}test('adds', (t) => { t.assert.equal(add(1, 2), 3) });`],
  ['uvu', `import { test } from 'uvu';\nimport * as assert from 'uvu/assert';${usual}`],
  ['should', `${NODE}import should from 'should';\ntest('adds', () => { add(1, 2).should.equal(3) });`],
  ['ava', "import test from 'ava';\ntest('adds', t => { t.is(add(1, 2), 3) });"],
  ['ava by another name', "import ava from 'ava';\nava('adds', t => { t.is(add(1, 2), 3) });"],
  ['tape', "import test from 'tape';\ntest('adds', t => { t.equal(add(1, 2), 3); t.end() });"],
  [
    'an assertion of the project',
    `${NODE}import { same } from './same.mjs';\ntest('adds', () => { same(add(1, 2), 3) });`,
  ],
  ['power-assert', `${NODE}import assert from 'power-assert';${usual}`],
  ['globals of jest', "const { add } = require('../add');\ntest('adds', () => { expect(add(1, 2)).toBe(3) })"],
  [
    'vitest',
    "import { test, expect } from 'vitest'; import { a } from './a.js';\ntest('b', () => { expect(a(1)).toBe(3) })",
  ],
])('V15 a file with %s has more than the bare error', (_what, text) => {
  const { tests, copies, isBare } = javascriptControl(text, (index) => `k${index}x`, [11, 22]);
  expect(tests.length).toBeGreaterThan(1);
  expect(copies.length).toBeGreaterThan(0);
  expect(isBare).toBe(false);
});

test('V15 a file in which no assertion is known, and none of its own, is bare', () => {
  expect(controlled('a.test.js', fileOf.javascript('add(1, 2);'))).toMatchObject({ isBare: true, pairs: [] });
  expect(controlled('test_a.py', fileOf.python('add(1, 2)'))).toMatchObject({ isBare: false, pairs: [] });
  expect(pythonControl(fileOf.python('assert add(1) == 2'), (index) => `k${index}x`, [1, 2]).tests).toHaveLength(4);
});

const VALUES: readonly (readonly [Language, string, string, string])[] = [
  ['javascript', 'assert.equal', 'assert.equal(sum(1, 2), 3);', 'assert.equal(sum(1, 2), 0);'],
  ['javascript', 't.is', "t.is(sum(1, 2), 'a', 'message');", "t.is(sum(1, 2), 'a33o', 'message');"],
  ['javascript', 'same', 'same(sum(1, 2), true);', 'same(sum(1, 2), false);'],
  ['javascript', 'same', 'same(sum(1, 2), null);', "same(sum(1, 2), '33o');"],
  ['javascript', 'same', 'same(-30, sum(`a${b}`));', 'same(-0, sum(`a${b}`));'],
  ['javascript', 'expect().toBe', 'expect(f(1)).toBe(3)', 'expect(f(1)).toBe(0)'],
  ['javascript', 'expect().resolves.toEqual', 'await expect(f(/"/)).resolves.toEqual([0]);', 'toEqual([7]);'],
  ['javascript', 'deepEqual', "deepEqual(f(), { a: { 'b': [`c`] } });", "deepEqual(f(), { a: { 'b': [`c33o`] } });"],
  ['javascript', 'should.equal', 'sum(1, 2).should.equal(3);', 'sum(1, 2).should.equal(0);'],
  ['javascript', '===', 'assert(sum(1, 2) === 3, "3");', 'assert(sum(1, 2) === 0, "3");'],
  ['javascript', '!==', 'if (sum(1, 2) !== 3) throw new Error();', 'if (sum(1, 2) !== 0) throw new Error();'],
  ['javascript', 'equal', 'equal(f(), 0x1f);', 'equal(f(), 0x10);'],
  ['python', '==', 'assert add(1, 2) == 3, "3"', 'assert add(1, 2) == 0, "3"'],
  ['python', '==', 'assert "a" == f()  # "b"', 'assert "a33o" == f()  # "b"'],
  ['python', 'is', 'assert f() is True', 'assert f() is False'],
  ['python', '==', 'assert f() == {"a": (1.5, None)}', 'assert f() == {"a": (0.5, None)}'],
  ['python', 'self.assertEqual', "self.assertEqual(f(1), '''a''')", "'''a33o'''"],
  ['go', '!=', 'if got := f(1); got != 255 { t.Fatal(got) }', 'if got := f(1); got != 195 { t.Fatal(got) }'],
  ['go', 'assert.Equal', 'assert.Equal(t, []string{"a"}, f(1))', 'assert.Equal(t, []string{"a33o"}, f(1))'],
  ['go', '!=', "if f(1) != 'a' { t.Error() }", "if f(1) != 'q' { t.Error() }"],
  ['rust', 'assert_eq', 'assert_eq!(f(1), 3u8);', 'assert_eq!(f(1), 0u8);'],
  ['rust', 'assert_eq', 'assert_eq!(f::<\'static>(1), Some("a"));', 'assert_eq!(f::<\'static>(1), Some("a33o"));'],
  ['rust', 'assert_eq', 'assert_eq!(f(1), r#"a""#);', 'assert_eq!(f(1), r#"a"33o"#);'],
  ['rust', '==', 'assert!(f(1) == 200);', 'assert!(f(1) == 20);'],
];
test.each(VALUES)('V15 in %s, %s: the value that %s expects is another one', (language, form, statement, changed) => {
  const { pairs, added } = controlled(FILES[language], fileOf[language](statement));
  expect(pairs).toMatchObject([{ form }]);
  const original = added.split(statement).length;
  expect({ copies: original - 1, changed: added.includes(changed) }).toEqual({ copies: 2, changed: true });
});

test.each<readonly [Language, string]>([
  ['javascript', 'assert.notEqual(f(), 3);'],
  ['javascript', 'expect(f()).not.toBe(3);'],
  ['javascript', 'assert.throws(() => same(f(), 3));'],
  ['javascript', 'expect(f()).toBeGreaterThan(3);'],
  ['javascript', "assert.ok(f(), 'is not right');"],
  ['javascript', "assert(f(), 'is not right');"],
  ['javascript', 'assert(f() === 3 || g() === 4);'],
  ['javascript', 'assert(!(f() === 3));'],
  ['javascript', 'const a = same(f(), 3);'],
  ['javascript', "list.push(a); fs.writeFile(path, 'a');"],
  ['javascript', '// same(f(), 3);\n"same(f(), 3);"; `${"same(f(), 3);"}`; /same(f(), 3)/;'],
  ['javascript', 'same(f(1, 2), g(3));'],
  ['javascript', 'try { same(f(), 3); } catch {}'],
  ['javascript', 'if (f() !== 3) return;'],
  ['python', 'assert f() != 3'],
  ['python', 'assert not f() == 3'],
  ['python', 'self.assertIn(3, f())'],
  ['python', 'with raises(E):\n    assert f() == 3'],
  ['go', 't.Errorf("got %d", f())'],
  ['go', 'if err != nil { t.Fatal(err) }'],
  ['rust', 'assert_ne!(f(), 3);'],
  ['rust', 'println!("{}", f());'],
])('V15 in %s, this makes no pair: %s', (language, statement) => {
  expect(formsOf(language, statement)).toEqual([]);
});

test.each<readonly [string, string]>([
  ['a.test.js', "test.skip('a', () => { same(f(), 3); });"],
  ['a.test.js', "test('a', { skip: true }, () => { same(f(), 3); });"],
  ['a.test.js', "for (const a of b) { test('a', () => { same(f(), 3); }); }"],
  ['a.test.js', 'const test = (name, run) => { same(f(), 3); };'],
  ['test_a.py', '@pytest.mark.skip\ndef test_a():\n    assert f() == 3\n'],
  ['test_a.py', 'def outer():\n    def test_a():\n        assert f() == 3\n'],
  ['test_a.py', 'TEXT = """\ndef test_a():\n    assert f() == 3\n"""\n'],
  ['a_test.go', 'package a\n\nimport "testing"\n\nfunc helps(t *testing.T) { if f() != 3 { t.Fatal() } }\n'],
  ['tests/a.rs', '#[test]\n#[should_panic]\nfn a() { assert_eq!(f(), 3); }\n'],
  ['tests/a.rs', 'fn a() { assert_eq!(f(), 3); }\n'],
])('V15 in %s, this test is left alone: %s', (path, text) => {
  expect(controlled(path, text).pairs).toEqual([]);
});

test('V15 copies stand in the scope of their test, right after it, and before a comment on it', () => {
  const text = "describe('a', () => {\n  it('b', () => same(f(), 3)); // c\n});\n";
  const [, ...lines] = controlled('a.test.js', text).added.split('\n');
  expect(lines.slice(0, 4)).toEqual([
    "  it('b', () => same(f(), 3));",
    ";it('b k1x1x', () => same(f(), 3))",
    ";it('b k1x2x', () => same(f(), 0)) // c",
    '});',
  ]);
  const python = 'class TestA(TestCase):\n    @given(1)\n    def test_b(self):\n        assert f() == 3\n\n    x = 1\n';
  expect(controlled('test_a.py', python).added).toContain(
    '        assert f() == 3\n    @given(1)\n    def test_b_k1x2x(self):\n        assert f() == 3\n',
  );
});

test('V15 what follows a test in its line goes on after the copies, as a statement of its own', () => {
  const text = "test('a', () => { t.is(f(), 1); }); test('b', () => { t.is(g(), 2); });\n";
  const { added = '' } = mustFail('a.test.js', text, mark) ?? {};
  const names = [...added.matchAll(/(?:^|;) *test\('([ab])[^']*', \(\) => \{[^{}]*\}\);?$/gm)].map(([, name]) => name);
  expect(names.join('')).toBe('aaabbb');
});

test('V15 which copy of a pair comes first depends on the mark', () => {
  const text = fileOf.javascript('same(f(), 3);');
  const orders = [1, 2].map((one) => mustFail('a.test.js', text, { ...mark, numbers: [one, 9] })?.pairs[0]?.twin);
  expect(new Set(orders).size).toBe(2);
});

test('V15 each form has a pair before another test has one, and a file has six at most', () => {
  const many = Array.from({ length: 9 }, (_, index) => `test('a${index}', () => { same(f(), ${index}); });`);
  const text = `${many.join('\n')}\ntest('b', (t) => { t.is(f(), 3); });\n`;
  const forms = controlled('a.test.js', text).pairs.map(({ form }) => form);
  expect(forms).toEqual(['same', 't.is', 'same', 'same', 'same', 'same']);
});

test('V15 where a file cannot be loaded there are no copies of its tests', () => {
  const { alone, labels } = controlled('a.test.js', fileOf.javascript('same(f(), 3);'));
  expect(labels).toEqual(['k1x0x']);
  expect(alone).not.toContain('same');
});

const pieces = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...'()[]{}`\'"/\\.,;:=!#$-',
      '${',
      '"""',
      "'''",
      '/*',
      '*/',
      '//',
      '\n',
      '\n    ',
      '=>',
      '==',
      'r#"',
    ),
    fc.constantFrom('test(', "it('a', () => {", 'def test_a():', 'func TestA(', '#[test]\nfn a() {', 'same(f(), 3)'),
    fc.constantFrom('assert ', 'if ', 'expect(', 'class ', '0x', '3', 'await ', 'describe("', 'import a from "b"'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  ),
  { maxLength: 60 },
);

test('V15 whatever a file has for a text, its text stays in it: nothing but tests is added', () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(FILES)), pieces, (path, some) => {
      const text = (path.endsWith('.go') ? 'package a\nimport "testing"\n' : '') + some.join('');
      const { added, labels, pairs } = controlled(path, text);
      let at = 0;
      for (const character of text) at = added.indexOf(character, at) + 1 || Number.NaN;
      expect(at).not.toBeNaN();
      const all = [...labels, ...pairs.flatMap(({ twin, changed }) => [twin, changed])];
      expect(new Set(all).size).toBe(all.length);
      for (const label of pairs.flatMap(({ twin, changed }) => [twin, changed])) expect(added).toContain(label);
    }),
    { numRuns: 500 },
  );
});

test('V15 a long text is read in time', () => {
  const long = [
    "test('a', () => {\nsame(f(), 3);\n});\n",
    '((((',
    '`${',
    "'",
    '/* ',
    'def test_a():\n  assert a == 3\n',
  ];
  const started = performance.now();
  for (const text of long) for (const path of Object.values(FILES)) mustFail(path, text.repeat(8_000), mark);
  expect(performance.now() - started).toBeLessThan(60_000);
});
