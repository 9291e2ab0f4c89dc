import { GO } from './code-syntax.ts';
import { testsOfGo } from './function-tests.ts';
import { withOwnPairs } from './own-pairs.ts';
import type { ControlMark, WrittenTests } from './write-tests.ts';

const PACKAGE = /^package\s+\w+/m;
const TESTING = /^(?:import[^\S\r\n\u2028\u2029]+)?[^\S\r\n\u2028\u2029]*"testing"/m;

/** As `go test` finds them. A file without the package of tests has none to add to. */
export function goControl(
  text: string,
  label: (index: number) => string,
  numbers: ControlMark['numbers'],
): WrittenTests | null {
  const name = PACKAGE.exec(text)?.[0];
  if (name === undefined || !TESTING.test(text)) return null;
  const [one, other] = numbers;
  // A panic would end the others.
  const bodies = [`t.Fatal(${one})`, `t.Errorf("%d", ${other})`, 't.FailNow()'];
  const preamble = `${name}\n\nimport "testing"\n`;
  const failing = bodies.map((body, index) => `func Test_${label(index)}(t *testing.T) { ${body} }`);
  return withOwnPairs(text, { preamble, failing }, { label, numbers }, { syntax: GO, testsOf: testsOfGo });
}
