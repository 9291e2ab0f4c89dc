import { PYTHON } from './code-syntax.ts';
import { withOwnPairs } from './own-pairs.ts';
import { testsOfPython } from './python-tests.ts';
import type { ControlMark, WrittenTests } from './written-tests.ts';

const UNITTEST = /^\s*(?:import|from)\s+unittest\b/m;
const PYTEST = /^\s*(?:import|from)\s+pytest\b/m;

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
  ];
  const methods = isUnittest
    ? [`assertEqual(${one}, ${other})`, 'assertTrue(False)', `assertIn(${one}, [${other}])`, 'fail()']
    : [];
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
