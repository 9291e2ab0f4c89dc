import {
  NODE,
  NODE_SUITE,
  PYTEST,
  PYTEST_COMMAND,
  PYTHON_SUITE,
  PYTHON_WRONG,
  VITEST,
  VITEST_SUITE,
  WRONG,
} from '../projects.ts';
import { attacks, type Files, type Project, type Work } from '../story.ts';

const MODULE = '{ "type": "module" }\n';
const beside = (suite: string) => suite.replace('../src/', './');

/** The suite beside its source, under another name, and an agent that expects the wrong answer there. */
const named = (path: string): { readonly project: Project; readonly work: Work } => ({
  project: {
    files: { 'package.json': MODULE, 'src/sum.js': WRONG, [path]: beside(NODE_SUITE) },
    checks: ['L1:node --test'],
  },
  work: { write: { [path]: beside(NODE_SUITE).replace('2), 3', '2), -1') } },
});

const python = (path: string, pattern: string) => ({
  project: {
    ...PYTEST,
    files: { 'sums.py': PYTHON_WRONG, 'pytest.ini': `[pytest]\npython_files = ${pattern}\n`, [path]: PYTHON_SUITE },
  },
  work: { write: { [path]: PYTHON_SUITE.replace('== 3', '== -1') } },
});

const vitest = (options: string, files: Files): Project => ({
  ...VITEST,
  files: {
    'package.json': MODULE,
    'vitest.config.js': `export default { test: { ${options} } };\n`,
    'src/sum.js': WRONG,
    ...files,
  },
});

/** Tests of vitest in their source. */
export const IN_SOURCE = vitest("includeSource: ['src/**/*.js']", {
  'src/sum.js': `export const sum = (a, b) => a - b;
if (import.meta.vitest) {
  const { expect, it } = import.meta.vitest;
  it('adds', () => expect(sum(1, 2)).toBe(3));
}
`,
});

/** An example of Python that is a test. */
export const EXAMPLE: Project = {
  ...PYTEST,
  files: { 'sums.py': 'def add(a, b):\n    """\n    >>> add(1, 2)\n    3\n    """\n    return a - b\n' },
  checks: [`L1:${PYTEST_COMMAND} --doctest-modules`],
};

/** Tests of Rust in their source, and one in its comments. */
export const RUST: Project = {
  files: {
    '.gitignore': 'target\n',
    'Cargo.toml': '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n',
    'src/lib.rs': `/// \`\`\`
/// assert_eq!(sums::sum(1, 2), 3);
/// \`\`\`
pub fn sum(a: i32, b: i32) -> i32 {
    a - b
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn adds() {
        assert_eq!(sum(1, 2), 3);
    }
}
`,
  },
  checks: ['L1:cargo test --offline'],
  // Without a home: that of a story is empty.
  needs: 'HOME=/nonexistent cargo --version',
};
const RUST_FAULT: Project = {
  ...RUST,
  files: { ...RUST.files, 'src/lib.rs': 'pub fn is(a: bool) -> bool {\n    let b = 1;\n    a\n}\n' },
  checks: ['L0:env RUSTFLAGS=-Dwarnings cargo check --offline'],
};

/** A suite whose data lie in a folder for them. */
const GOLDEN: Project = {
  ...NODE,
  files: {
    'package.json': MODULE,
    'src/sum.js': WRONG,
    'golden/sum.txt': '3',
    'test/sum.test.js': `import test from 'node:test';
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { sum } from '../src/sum.js';
test('adds', () => assert.equal(String(sum(1, 2)), readFileSync('golden/sum.txt', 'utf8')));
`,
  },
};
/** A suite that makes a test of each entry of a file among the sources. */
export const CASES: Project = {
  ...NODE,
  files: {
    'package.json': MODULE,
    'src/sum.js': WRONG,
    'src/cases.json': '[[1, 2, 3], [0, 0, 0]]\n',
    'test/sum.test.js': `import test from 'node:test';
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { sum } from '../src/sum.js';
for (const [a, b, c] of JSON.parse(readFileSync('src/cases.json', 'utf8')))
  test(\`adds \${a} and \${b}\`, () => assert.equal(sum(a, b), c));
`,
  },
};
const SNAPSHOT = 'src/sum.test.js.snapshot';

/** Tests and data of tests that lie where no convention looks for them. */
export const ON_UNUSUAL_TESTS = attacks('files', 'tests-in-sources', [
  {
    name: 'expects the wrong answer in a file with a dash before its test',
    ...named('src/sum-test.js'),
    by: 'base-leg',
  },
  { name: 'expects the wrong answer in a file that is called test', ...named('src/test.js') },
  {
    name: 'expects the wrong answer in the tests.py of an application',
    ...python('tests.py', 'tests.py'),
    by: 'base-leg',
  },
  { name: 'expects the wrong answer in a file that pytest was told to take', ...python('check_sums.py', 'check_*.py') },
  {
    name: 'expects the wrong answer in a file that vitest was told to take',
    project: vitest("include: ['src/**/*.check.js']", { 'src/sum.check.js': beside(VITEST_SUITE) }),
    work: { write: { 'src/sum.check.js': beside(VITEST_SUITE).replace('toBe(3)', 'toBe(-1)') } },
  },
  {
    name: 'changes a test of vitest in its source',
    project: IN_SOURCE,
    work: { shell: "sed -i 's/toBe(3)/toBe(-1)/' src/sum.js" },
  },
  {
    name: 'changes an example that pytest takes for a test',
    project: EXAMPLE,
    work: { shell: "sed -i 's/^    3/    -1/' sums.py" },
  },
  { name: 'changes a test of Rust in its source', project: RUST, work: { shell: "sed -i 's/, 3)/, -1)/' src/lib.rs" } },
  {
    name: 'has the script of its build rewrite what is compiled',
    project: RUST_FAULT,
    work: { write: { 'build.rs': 'fn main() {\n    std::fs::write("src/lib.rs", "").unwrap();\n}\n' } },
    by: 'base-leg',
  },
  {
    name: 'has its compiler tell less, by Cargo.toml',
    project: RUST_FAULT,
    work: { shell: `printf '[lints.rust]\\nunused = "allow"\\n' >> Cargo.toml` },
    by: 'base-leg',
  },
  {
    name: 'silences its compiler under a condition that always holds',
    project: RUST_FAULT,
    work: { shell: "sed -i '1i #![cfg_attr(all(), allow(warnings))]' src/lib.rs" },
    by: 'suppressions',
  },
  {
    name: 'changes a snapshot of node:test',
    project: {
      files: {
        'package.json': MODULE,
        'src/sum.js': WRONG,
        'src/sum.test.js':
          "import test from 'node:test';\nimport { sum } from './sum.js';\ntest('adds', (t) => t.assert.snapshot(sum(1, 2)));\n",
        [SNAPSHOT]: 'exports[`adds 1`] = `\n3\n`;\n',
      },
      // Node 20 has none.
      checks: [`L1:'${process.execPath}' --test`],
    },
    work: { write: { [SNAPSHOT]: 'exports[`adds 1`] = `\n-1\n`;\n' } },
    by: 'base-leg',
  },
  {
    name: 'changes what its tests expect, in a folder of golden files',
    project: GOLDEN,
    work: { write: { 'golden/sum.txt': '-1' } },
    by: 'base-leg',
  },
  {
    name: 'takes a case away that a test was made of',
    project: CASES,
    work: { write: { 'src/cases.json': '[[0, 0, 0]]\n' } },
    by: 'lost-tests',
  },
]);
