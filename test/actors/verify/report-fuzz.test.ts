import { describe, expect, test } from 'vitest';
import { TestReport } from '../../../machines/events.ts';
import { readReport } from '../../../src/actors/verify/read-report.ts';
import { type Evidence, verdictOn } from '../../../src/actors/verify/check-verdict.ts';
import { jsonFault } from '../../../src/log/json-gate.ts';
import { fc } from '../../support/fast-check.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { REPORTS } from './reports.ts';

const real = fc.constantFrom(...REPORTS);
const place = fc.double({ min: 0, max: 1, noNaN: true });
const noise = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '\n',
    '"',
    '\\ud800',
    '&#xD800;',
    '&lt;',
    '<![CDATA[',
    '</testsuite>',
    '\n1..2\n',
    '\nnot ok',
    ' {\n',
    '    ',
  ),
);

const cutOff = fc.tuple(real, place, place).map(([text, from, to]) => text.slice(from * text.length, to * text.length));
const changed = fc.tuple(real, fc.array(fc.tuple(place, noise, fc.nat(30)), { maxLength: 6 })).map(([text, changes]) =>
  changes.reduce((changed, [where, put, length]) => {
    const at = Math.floor(where * changed.length);
    return changed.slice(0, at) + put + changed.slice(at + length);
  }, text),
);
const mixed = fc.array(fc.oneof(real, cutOff, changed, noise), { maxLength: 4 }).map((texts) => texts.join('\n'));
const anything = fc.oneof(cutOff, changed, mixed);

describe('L16 whatever a check prints, reading it ends well', () => {
  testInTurn('L16 with nothing, or with a report that the log can keep and that agrees with itself', () =>
    fc.assert(
      fc.property(anything, (text) => {
        const report = readReport(text);
        if (report === null) return;
        expect(TestReport.parse(report)).toEqual(report);
        expect(jsonFault(report)).toBeNull();
        expect(report.failing).toHaveLength(Math.min(report.failed, 100));
        expect(new Set(report.failing.map(({ name }) => name)).size).toBe(report.failing.length);
        for (const { name, message } of report.failing) {
          expect(name).toMatch(/^[^\p{Cc}\p{Cs}]{1,310}$/u);
          expect(message).toMatch(/^([^\p{Cc}\p{Cs}]|[\n\t]){0,8000}$/u);
        }
      }),
      { numRuns: 1_000 },
    ),
  );

  test.each([
    ['suites', '<testsuite name="a">'.repeat(100_000)],
    ['suites of one test each', `${'<testsuite name="a"><testcase name="b"/>'.repeat(50_000)}`],
    ['documents', '<testsuites>\n'.repeat(100_000)],
    ['text in tests', `<testsuite><testcase><failure>${'&amp;'.repeat(100_000)}`],
    ['objects', '{"numTotalTests":'.repeat(100_000)],
    ['lists', `{"numTotalTests":1,"testResults":${'['.repeat(100_000)}`],
    ['quotes', `{"numTotalTests":"${'\\"'.repeat(100_000)}`],
    ['subtests', Array.from({ length: 1_000 }, (_, depth) => `${' '.repeat(4 * depth)}# Subtest: a`).join('\n')],
    [
      'subtests in braces',
      `1..1\n${Array.from({ length: 1_000 }, (_, depth) => `${' '.repeat(4 * depth)}not ok - a {`).join('\n')}`,
    ],
    ['details', `TAP version 14\nnot ok 1\n  ---\n${'  - [[[[{a: &b\n'.repeat(10_000)}`],
    ['plans', '1..1\nok\n'.repeat(20_000)],
    ['escapes', '\u001B[;'.repeat(100_000)],
    ['spaces', ' '.repeat(500_000)],
  ])('L16 %s without end end', (_what, text) => {
    expect(() => readReport(text)).not.toThrow();
  });
});

describe('L16 a report only ever makes a verdict stricter', () => {
  const content = fc.oneof(
    anything.map((text) => ({ kind: 'read' as const, text })),
    fc.constant({ kind: 'unread' as const, why: 'it is not there' }),
  );
  const evidence: fc.Arbitrary<Evidence> = fc.record({
    exitCode: fc.option(fc.nat(3)),
    printed: fc.option(anything),
    file: fc.option(content.map((content) => ({ path: 'report.xml', content }))),
  });

  testInTurn('L16 what exits otherwise than with 0 never passes, nor does what reports a failed test', () =>
    fc.assert(
      fc.property(evidence, ({ exitCode, printed, file }) => {
        const { passed } = verdictOn({ exitCode, printed, file });
        const texts = [printed, file?.content.kind === 'read' ? file.content.text : null];
        const failures = texts.map((text) => (text === null ? 0 : (readReport(text)?.failed ?? 0)));
        expect(passed).toBe(exitCode === 0 && failures.every((count) => count === 0));
      }),
      { numRuns: 500 },
    ),
  );

  test('L16 nothing that is printed around a report covers its failures', () =>
    fc.assert(
      fc.property(
        real,
        fc.constantFrom('', 'ok', '{}', '<testsuites/>', '{"numTotalTests":0,"testResults":[]}'),
        (text, other) => {
          const alone = readReport(text)?.failed;
          expect(readReport(`${other}\n${text}\n${other}\n`)?.failed).toBe(alone);
        },
      ),
    ));
});
