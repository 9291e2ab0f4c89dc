import type { Check } from '../../machines/settings.ts';
import { startedBy } from './command-words.ts';
import { nameOf } from './workspace-paths.ts';

/** A flag that lets a runner report, or another way to it. */
interface Reporting {
  /** Of the words that start the runner, its name without a folder. */
  readonly runner: RegExp;
  readonly way: string;
  /** Where the way writes a file: such a path, for `report` of the check. */
  readonly file?: string;
}

const FILE = 'report.xml';
const byFile = (runner: RegExp, way: string, file = FILE): Reporting => ({ runner, way, file });
const printed = (runner: RegExp, way: string): Reporting => ({ runner, way });
const WITHOUT_ENVIRONMENT =
  'it keeps the variables by which we let runners report from its tests: pass LOOPFOLD_REPORTS and PATH, with ';

const WAYS: readonly Reporting[] = [
  printed(/^tox\b/, `${WITHOUT_ENVIRONMENT}PYTHONPATH and PYTEST_PLUGINS, by \`pass_env\``),
  printed(/^(?:docker|podman)\b/, 'our reporters are not in a container: let the runner within print TAP or JUnit'),
  byFile(/^(?:pytest|py\.test|python[\d.]* -m pytest)\b/, `add \`--junit-xml=${FILE}\``),
  byFile(
    /^cargo nextest\b/,
    'set `path` in `[profile.default.junit]` of its settings',
    'target/nextest/default/junit.xml',
  ),
  byFile(/^(?:phpunit|pest|paratest)\b/, `add \`--log-junit ${FILE}\``),
  printed(/^rspec\b/, 'add `--format RspecJunitFormatter`, of the gem rspec_junit_formatter'),
  byFile(
    /^dotnet (?:test|vstest)\b/,
    `add \`--logger "junit;LogFilePath=${FILE}"\`, of the package JunitXml.TestLogger`,
  ),
  printed(/^mvnw?\b/, 'print its reports behind it: `cat target/surefire-reports/TEST-*.xml`'),
  printed(/^gradlew?\b/, 'print its reports behind it: `cat build/test-results/test/TEST-*.xml`'),
  byFile(/^ctest\b/, `add \`--output-junit ${FILE}\``),
  byFile(/^meson test\b/, 'it writes them already', 'FOLDER/meson-logs/testlog.junit.xml'),
  printed(/^bats\b/, 'add `--formatter tap`'),
  printed(/^prove\b/, 'add `-v`'),
  byFile(/^swift test\b/, `add \`--xunit-output ${FILE}\``),
  byFile(/^mix test\b/, 'add `--formatter JUnitFormatter`, of the package junit_formatter'),
  printed(/^busted\b/, 'add `-o junit`'),
  printed(/^deno test\b/, 'add `--reporter=tap`'),
  byFile(/^bun test\b/, `add \`--reporter=junit --reporter-outfile=${FILE}\``),
  byFile(/^gotestsum\b/, `add \`--junitfile ${FILE}\``),
  byFile(/^ginkgo\b/, `add \`--junit-report=${FILE}\``),
  printed(/^playwright test\b/, 'add `--reporter=junit`'),
];
const OTHERWISE: Omit<Reporting, 'runner'> = { way: 'let its tests write a JUnit, TAP or JSON report', file: FILE };
/** Further checks are told alike, and add nothing. */
const MAX_HINTS = 3;

/**
 * Names what would let the tests of a command be known by name.
 *
 * @example
 * reportHint('npx bats test'); // 'add `--formatter tap`'
 */
export function reportHint(command: string): string {
  const started = startedBy(command, '').map(({ words: [program = '', ...rest] }) =>
    [nameOf(program), ...rest].join(' '),
  );
  const { way, file } = WAYS.find(({ runner }) => started.some((words) => runner.test(words))) ?? OTHERWISE;
  return file === undefined ? way : `${way}, and name the file as its \`report\`, such as "${file}"`;
}

/** The same for the checks that name no test, or for steps of these, as lines: first the name of each. */
export const reportHints = (checks: readonly Check[], unreported: readonly string[]): readonly string[] =>
  unreported.slice(0, MAX_HINTS).flatMap((step) => {
    const command = (checks.find(({ name }) => name === step) ?? checks.find(({ name }) => step.startsWith(name)))
      ?.command;
    return command === undefined ? [] : [`${step} names no test: ${reportHint(command)}`];
  });
