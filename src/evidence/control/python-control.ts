import type { ControlMark, MustFail } from './written-tests.ts';

const UNITTEST = /^\s*(?:import|from)\s+unittest\b/m;
const PYTEST = /^\s*(?:import|from)\s+pytest\b/m;

/** As pytest collects them. */
export function pythonControl(
  text: string,
  label: (index: number) => string,
  [one, other]: ControlMark['numbers'],
): MustFail {
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
  return { preamble: '', tests: [...functions, ...classes] };
}
