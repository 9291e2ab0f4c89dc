import { PYTHON } from './code-syntax.ts';
import { withOwnPairs } from './own-pairs.ts';
import { testsOfPython } from './python-tests.ts';
import type { ControlMark, WrittenTests } from './written-tests.ts';

const UNITTEST = /^\s*(?:import|from)\s+unittest\b/m;
const PYTEST = /^\s*(?:import|from)\s+pytest\b/m;

/** As pytest collects them. */
export function pythonControl(
  text: string,
  label: (index: number) => string,
  numbers: ControlMark['numbers'],
): WrittenTests {
  const [one, other] = numbers;
  const bodies = [
    `raise Exception(${one})`,
    `assert ${one} == ${other}`,
    ...(PYTEST.test(text) ? ['import pytest; pytest.raises(Exception, lambda: None)'] : []),
  ];
  const methods = UNITTEST.test(text)
    ? [`assertEqual(${one}, ${other})`, 'assertTrue(False)', `assertIn(${one}, [${other}])`, 'fail()']
    : [];
  const functions = bodies.map((body, index) => `def test_${label(index)}():\n    ${body}\n`);
  const classes = methods.map((call, index) => {
    const name = label(bodies.length + index);
    const head = `import unittest as ${name}\nclass Test_${name}(${name}.TestCase):\n`;
    return `${head}    def test_${name}(self):\n        self.${call}\n`;
  });
  const failing = [...functions, ...classes];
  const language = { syntax: PYTHON, testsOf: testsOfPython };
  return withOwnPairs(text, { preamble: '', failing }, { label, numbers }, language);
}
