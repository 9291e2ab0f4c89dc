import { PYTHON } from './code-syntax.ts';
import { withOwnPairs } from './own-pairs.ts';
import { testsOfPython } from './python-tests.ts';
import type { ControlMark, WrittenTests } from './write-tests.ts';

const UNITTEST = /^[^\S\r\n\u2028\u2029]*(?:import|from)\s+unittest\b/m;
const PYTEST = /^[^\S\r\n\u2028\u2029]*(?:import|from)\s+pytest\b/m;

const FUNCTION = /^(?:async\s+)?def\s+test/m;

/** As pytest collects them; in a file whose tests are all methods of classes, as unittest does, too. */
export function pythonControl(
  text: string,
  label: (index: number) => string,
  numbers: ControlMark['numbers'],
): WrittenTests {
  const [one, other] = numbers;
  const isUnittest = UNITTEST.test(text);
  const isOfClasses = isUnittest && !FUNCTION.test(text);
  const bodies = [
    `raise Exception(${one})`,
    `assert ${one} == ${other}`,
    ...(PYTEST.test(text) ? ['import pytest; pytest.raises(Exception, lambda: None)'] : []),
    ...(text.includes('approx(') ? [`import pytest; assert ${one} == pytest.approx(${other})`] : []),
  ];
  const methods = isUnittest ? methodsOf(text, one, other) : [];
  const calls = [...bodies, ...methods.map((call) => `self.${call}`)];
  const failing = calls.map((body, index) => {
    const name = label(index);
    if (!isOfClasses && index < bodies.length) return `def test_${name}():\n    ${body}\n`;
    const head = `import unittest as ${name}\nclass Test_${name}(${name}.TestCase):\n`;
    return `${head}    def test_${name}(self):\n        ${body}\n`;
  });
  const language = { syntax: PYTHON, testsOf: testsOfPython };
  return withOwnPairs(text, { preamble: '', failing }, { label, numbers }, language);
}

const ALWAYS = ['assertEqual', 'assertTrue', 'assertIn', 'fail'];

/** False assertions by the methods of unittest that a file calls, and by those that every file may. */
const methodsOf = (text: string, one: number, other: number): readonly string[] =>
  Object.entries(FALSE_METHODS)
    .filter(([name]) => ALWAYS.includes(name) || text.includes(`.${name}(`))
    .map(([name, words]) => `${name}(${words.replaceAll('$1', `${one}`).replaceAll('$2', `${other}`)})`);

/** The arguments by which each must fail. `$1`, `$2`: two numbers, of which the second is one more. */
const FALSE_METHODS: Readonly<Record<string, string>> = {
  assertEqual: '$1, $2',
  assertTrue: 'False',
  assertIn: '$1, [$2]',
  fail: '',
  assertNotEqual: '$1, $1',
  assertFalse: 'True',
  assertIs: '[$1], [$1]',
  assertIsNot: 'None, None',
  assertIsNone: '$1',
  assertIsNotNone: 'None',
  assertNotIn: '$1, [$1]',
  assertIsInstance: '$1, str',
  assertNotIsInstance: '$1, int',
  assertAlmostEqual: '$1, $2',
  assertNotAlmostEqual: '$1, $1',
  assertGreater: '$1, $2',
  assertGreaterEqual: '$1, $2',
  assertLess: '$2, $1',
  assertLessEqual: '$2, $1',
  assertRegex: "'$1', '^$2$'",
  assertNotRegex: "'$1', '$1'",
  assertCountEqual: '[$1], [$2]',
  assertListEqual: '[$1], [$2]',
  assertTupleEqual: '($1,), ($2,)',
  assertSetEqual: '{$1}, {$2}',
  assertDictEqual: "{'a': $1}, {'a': $2}",
  assertSequenceEqual: '[$1], [$2]',
  assertMultiLineEqual: "'$1', '$2'",
  assertRaises: 'Exception, lambda: None',
  assertRaisesRegex: "Exception, '', lambda: None",
};
