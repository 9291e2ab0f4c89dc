import { expect, test } from 'vitest';
import type { Check } from '../../machines/settings.ts';
import { reportHint, reportHints } from '../../src/evidence/report-hint.ts';
import { evidenceLines } from '../../src/app/views/evidence-lines.ts';
import { sound } from './sound-proof.ts';

const check = (name: string, command: string): Check => ({ level: 'L1', name, command, timeoutMs: 1_000 });

test.for([
  ['vendor/bin/phpunit tests', '--log-junit report.xml'],
  ['cd app && npx bats test', '--formatter tap'],
  ['bundle exec rspec', '--format RspecJunitFormatter'],
  ['cargo nextest run', 'target/nextest/default/junit.xml'],
  ['dotnet test', '--logger "junit;LogFilePath=report.xml"'],
  ['./mvnw -q test', 'cat target/surefire-reports/TEST-*.xml'],
  ['./gradlew test', 'cat build/test-results/test/TEST-*.xml'],
  ['cmake --build b && ctest --quiet', '--output-junit report.xml'],
  ['swift test', '--xunit-output report.xml'],
  ['python3.12 -m pytest', '--junit-xml=report.xml'],
  ['tox -e py', 'PYTEST_PLUGINS'],
  ['busted', '-o junit'],
  ['./check.sh', 'JUnit, TAP or JSON report'],
] as const)('V17 given the check %s, the hint names %s', ([command, flag]) => {
  expect(reportHint(command)).toContain(flag);
});

test('V17 a flag that writes a file comes with the `report` of the check, one that prints does not', () => {
  expect(reportHint('phpunit')).toContain('name the file as its `report`, such as "report.xml"');
  expect(reportHint('busted')).not.toContain('`report`');
});

test('V17 the page of work that passed says of each check without names of tests how it gets them', () => {
  const checks = [check('unit', 'dotnet test'), check('e2e', 'busted'), check('lint', 'make lint')];
  expect(reportHints(checks, ['e2e', 'unit-1'])).toEqual([
    'e2e names no test: add `-o junit`',
    expect.stringMatching(/^unit-1 names no test: add `--logger/),
  ]);
  const proof = { ...sound, unreported: ['e2e'] };
  const hint = '    e2e names no test: add `-o junit`';
  expect(evidenceLines({ passed: true, proof }, undefined, checks)).toContain(hint);
  expect(evidenceLines({ passed: false, proof }, undefined, checks)).not.toContain(hint);
});
