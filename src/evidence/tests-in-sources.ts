import { namedFile } from './control/test-file.ts';
import type { ReportedTests } from './tests-of-checks.ts';
import { testsOfRust } from './rust-tests.ts';

// Some tests lie in files that are no grounds: beside the code of a Rust module, in an example of a comment, or in a
// file that its runner takes for tests and no convention does. The work may edit such a file, so its tests cannot be
// put back: whether they are those of the base is all that can be known.

const RUST = /\.rs$/;
const PYTHON = /\.py$/;
const VITEST_TESTS = /^.*\bimport\.meta\.vitest\b/m;
const PYTHON_TESTS =
  /^[^\S\r\n\u2028\u2029]*(?:async\s+)?def\s+test|^class\s+Test|^[^\S\r\n\u2028\u2029]*(?:import|from)\s+unittest\b/m;

/**
 * The text of a source that its tests are made of: another one is another test.
 *
 * @example
 * testsWithin('src/lib.rs', 'fn one() {}\n#[test]\nfn is_one() {}\n'); // '#[test]\nfn is_one() {}\n'
 */
export function testsWithin(path: string, text: string): string {
  if (RUST.test(path)) return testsOfRust(text);
  if (PYTHON.test(path)) return PYTHON_TESTS.test(text) ? text : pythonExamples(text);
  return fromFirst(VITEST_TESTS, text) ?? text;
}

function fromFirst(pattern: RegExp, text: string): string | null {
  const at = text.search(pattern);
  return at < 0 ? null : text.slice(at);
}

/** The lines after `>>>`, up to one that is empty or ends the text that they lie in. */
function pythonExamples(text: string): string {
  let isExample = false;
  const lines = text.split('\n').filter((line) => {
    const said = line.trim();
    isExample = said.startsWith('>>>') || (isExample && said !== '' && !/^(?:"""|''')/.test(said));
    return isExample;
  });
  return lines.map((line) => `${line.trim()}\n`).join('');
}

/** Whether a file that is no ground may have tests of the base, going by what their runners reported. */
export function mayHaveTests(base: ReportedTests): (path: string) => boolean {
  const files = new Set([...base.values()].flatMap(({ tests }) => tests.map(namedFile)));
  // Cargo names the program, and a module of it may lie in any file.
  const isRust = [...files].some((file) => RUST.test(file) || file.endsWith(' documentation'));
  return (path) => files.has(path) || (isRust && RUST.test(path));
}
