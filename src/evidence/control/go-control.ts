import type { ControlMark, MustFail } from './written-tests.ts';

const PACKAGE = /^package\s+\w+/m;
const TESTING = /^(?:import\s+)?\s*"testing"/m;

/** As `go test` finds them. A file without the package of tests has none to add to. */
export function goControl(
  text: string,
  label: (index: number) => string,
  [one, other]: ControlMark['numbers'],
): MustFail | null {
  const name = PACKAGE.exec(text)?.[0];
  if (name === undefined || !TESTING.test(text)) return null;
  // A panic would end the others.
  const bodies = [`t.Fatal(${one})`, `t.Errorf("%d", ${other})`, 't.FailNow()'];
  return {
    preamble: `${name}\n\nimport "testing"\n`,
    tests: bodies.map((body, index) => `func Test_${label(index)}(t *testing.T) { ${body} }`),
  };
}
