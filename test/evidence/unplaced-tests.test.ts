import { expect, test } from 'vitest';
import { groundsAmong } from '../../src/evidence/classify-grounds.ts';
import { testPlaces, unplacedChecks } from '../../src/evidence/tests-without-files.ts';
import { testInTurn } from '../support/in-turn.ts';
import type { Files } from './story.ts';
import { toldRun } from './told-run.ts';

const RULES = { protect: [], unprotect: [], checks: new Map([['run.sh', 'unit']]), configuration: new Map() };

interface Told {
  readonly base: readonly string[];
  readonly changed: readonly string[];
  readonly files?: readonly (string | null)[];
  readonly protect?: readonly string[];
  readonly reads?: true;
}

function unplaced({ base, changed, files = [null], protect = [], reads }: Told): readonly string[] {
  const { grounds } = groundsAmong([...base, ...changed], { ...RULES, protect });
  const tests = files.map((file) => ({ file, name: 'adds', occurrence: 1, result: 'passed' as const }));
  const leg = { checks: [{ name: 'unit', passed: true }], tests: new Map([['unit', { complete: true, tests }]]) };
  return unplacedChecks(leg, new Set(reads ? ['unit'] : []), testPlaces(grounds, new Set(base)), changed);
}

test.each<[string, Told, boolean]>([
  ['a test of Janet', { base: ['run.sh', 'src/sums.janet'], changed: ['spec_of/sums.janet'] }, true],
  ['a source of Zig, which has its tests beside the code', { base: ['run.sh', 'a.zig'], changed: ['a.zig'] }, true],
  ['a table of cases', { base: ['run.sh', 'cases.txt'], changed: ['cases.txt'] }, true],
  ['any source, where no ground is a program, either', { base: ['a.js'], changed: ['a.js'] }, true],
  ['a source of a known language, beside its program', { base: ['run.sh', 'a.js'], changed: ['a.js'] }, false],
  ['a page, beside its program', { base: ['run.sh', 'a.zig'], changed: ['README.md', 'LICENSE'] }, false],
  ['a source of Perl with its tests', { base: ['t/sums.t', 'lib/Sums.pm'], changed: ['lib/Sums.pm'] }, false],
  ['a source, where a folder has tests', { base: ['test/sums.zig', 'a.zig'], changed: ['a.zig'] }, false],
  ['a source, where tests are protected', { base: ['b.zig', 'a.zig'], changed: ['a.zig'], protect: ['b.zig'] }, false],
  ['tests of the work alone', { base: ['a.zig'], changed: ['a.zig', 'test/new.zig'] }, true],
  ['a test that names its file', { base: ['a.zig'], changed: ['a.zig'], files: [null, 'a.zig'] }, false],
  ['no test by name', { base: ['a.zig'], changed: ['a.zig'], files: [] }, false],
  ['what a check reads', { base: ['a.zig'], changed: ['a.zig'], reads: true }, false],
  ['nothing', { base: ['a.zig'], changed: [] }, false],
])('V17 given tests without a file, when the work changes %s, then they are unplaced: %s', (_what, told, is) => {
  expect(unplaced(told)).toEqual(is ? ['unit'] : []);
});

// A runner as a shell has it: each file is a test, and passes where it names the value of the source.
const RUNNER = `n=0
for file in checks_of/*.janet; do
  n=$((n + 1))
  if grep -q "$(cat "$file")" sums.janet; then echo "ok $n - $file"; else echo "not ok $n - $file"; failed=1; fi
done
echo "1..$n"
exit \${failed:-0}
`;
const janet: Files = { 'run.sh': RUNNER, 'sums.janet': '(- a b)\n', 'checks_of/adds.janet': '(+ a b)\n' };
const told = (files: Files, write: Files) => toldRun({ files, checks: ['L1:sh run.sh'] }, { write });

testInTurn(
  'V17 given a runner of TAP over files of no known kind, when its test is changed, then it is weak',
  async () => {
    expect(await told(janet, { 'checks_of/adds.janet': '(- a b)\n' })).toMatchObject({
      ending: 'success',
      grade: 'weak',
      because: ['tests-unplaced'],
      isEnough: false,
      proof: { unplaced: ['sh run.sh'] },
    });
  },
);

testInTurn(
  'V17 given the same runner and tests in a folder for them, when a source is changed, then it counts',
  async () => {
    const { 'checks_of/adds.janet': adds = '', ...rest } = janet;
    const files = { ...rest, 'run.sh': RUNNER.replace('checks_of', 'test'), 'test/adds.janet': adds };
    const { ending, because } = await told(files, { 'sums.janet': '(+ a b)\n' });
    expect({ ending, because }).toEqual({ ending: 'success', because: expect.not.arrayContaining(['tests-unplaced']) });
  },
);
