import { describe, expect, test } from 'vitest';
import { checksFeedback, feedbackOn } from '../../src/strategies/feedback.ts';
import { reportOf } from '../../src/strategies/report.ts';
import { fc } from '../support/fast-check.ts';
import { agent, check, failed, failing, iteration, report, verified } from './iteration.ts';

describe('L16 feedback on checks', () => {
  test('L16 lists each failed check as level/name: output, in order, and no other', () => {
    const result = report({
      L1: [check('unit', false, 'expected 2\ngot 3\n'), check('types', true, 'fine')],
      L0: [check('lint', false, 'no semicolon')],
    });
    expect(feedbackOn(verified(result))).toBe(
      'These checks failed:\nL0/lint: no semicolon\n[exit 1]\nL1/unit: expected 2\ngot 3\n[exit 1]',
    );
  });

  test('L16 a check that fails in silence is named with its exit code, and so are the levels that were not run', () => {
    const silent = { ...check('test', false, ' \n'), exitCode: 1 };
    const payload = {
      passed: false,
      workspace: null,
      levels: [{ level: 'L0' as const, passed: false, checks: [silent] }],
    };
    const found = reportOf(payload, [{ level: 'L0' }, { level: 'L2' }, { level: 'L1' }]);
    expect(checksFeedback(found)).toBe(
      'These checks failed:\nL0/test: exit 1, no output\nNot run until these pass: L1, L2.',
    );
    const tests = { ...silent, tests: failing('adds') };
    expect(checksFeedback(report({ L0: [tests] }))).toMatch(/- adds: adds is wrong\nexit 1, no output$/);
  });

  test('L16 long output keeps its first and last lines, whole, and says how much is left out', () => {
    const output = Array.from({ length: 5_000 }, (_, line) => `line ${line}`).join('\n');
    const feedback = checksFeedback(report({ L0: [check('unit', false, `${output}\n\n`)] }));
    const cut =
      /^These checks failed:\nL0\/unit: (line 0\n.*)\n\[… (\d+) characters left out …\]\n(line \d+\n.*line 4999)\n\[exit 1\]$/s;
    const [, start = '', leftOut, end = ''] = cut.exec(feedback) ?? [];
    expect(start.length + Number(leftOut) + end.length).toBe(output.length);
    expect(output.startsWith(`${start}\n`)).toBe(true);
    expect(output.endsWith(`\n${end}`)).toBe(true);
    expect(feedback.length).toBeLessThanOrEqual(12_100);
    expect(feedback.length).toBeGreaterThan(11_800);
  });

  test('L16 the failed tests that a long output of node --test names are listed, wherever they stand in it', () => {
    const noise = '    at frame (file.js:1:1)\n'.repeat(700);
    const output = `✖ adds (1.4ms)\n▶ group\n${noise}  ✖ sums (a) (2ms)\n  ✔ fine (1ms)\n✖ group (3ms)\n${noise}
✖ failing tests:\n\ntest at a.test.js:2:1\n✖ adds (1.4ms)\n${noise}\nfailed\n`;
    const feedback = checksFeedback(report({ L1: [check('unit', false, output)] }));
    expect(feedback).toMatch(
      /\nfailed\n\[exit 1\]\nFailed tests that its output names:\n- adds \(a\.test\.js:2:1\)\n- sums \(a\)\n- group$/,
    );
    expect(checksFeedback(report({ L1: [check('unit', false, '✖ adds (1.4ms)')] }))).not.toContain('names');
  });

  test('L16 many failing checks share the room, and none is left out', () => {
    const outputOf = (index: number) => `${'x'.repeat(9_999)}end-${index}`;
    const checks = Array.from({ length: 40 }, (_, index) => check(`check-${index}`, false, outputOf(index)));
    const feedback = checksFeedback(report({ L0: checks }));
    for (const index of checks.keys())
      expect(feedback).toMatch(new RegExp(`L0/check-${index}: .*\n.*end-${index}(\n|$)`));
    expect(feedback.length).toBeLessThanOrEqual(14_000);
  });

  test('L16 whatever was printed, the last line of each failed check is there if it fits at all', () => {
    const line = fc.string({ unit: 'grapheme-ascii', maxLength: 150 }).filter((text) => text.trim() !== '');
    const printed = fc.array(fc.tuple(fc.string({ maxLength: 4_000 }), line), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(printed, (outputs) => {
        const checks = outputs.map(([before, last], index) => check(`c${index}`, false, `${before}\n${last}`));
        const feedback = checksFeedback(report({ L2: checks }));
        for (const [, last] of outputs) expect(feedback).toContain(last.trimEnd());
      }),
      { numRuns: 30 },
    );
  });

  test('L16 a name as long as a script is cut too', () => {
    const feedback = checksFeedback(report({ L0: [check('x'.repeat(5_000), false, 'why')] }));
    expect(feedback).toMatch(/^These checks failed:\nL0\/x{199}…: why\n\[exit 1\]$/);
  });

  test('L16 tests that failed come first, each with its message, and the end of the output after them', () => {
    const unit = { ...check('unit', false, 'noise\n2 failed\n'), tests: failing('adds', 'sums > subtracts') };
    expect(checksFeedback(report({ L1: [check('lint', false, 'no semicolon'), unit] }))).toBe(`These checks failed:
L1/lint: no semicolon
[exit 1]
L1/unit: 2 of 4 tests failed:
- adds: adds is wrong
- sums > subtracts: sums > subtracts is wrong
Its output ends with:
noise
2 failed`);
  });

  test('L16 a report without a failed test adds nothing', () => {
    const tests = failing();
    expect(checksFeedback(report({ L1: [{ ...check('unit', false, 'no'), tests }] }))).toBe(
      'These checks failed:\nL1/unit: no\n[exit 1]',
    );
  });

  test('L16 however many tests fail, and whatever they say, it stays readable: some named, the others counted', () => {
    const names = fc.array(fc.string({ minLength: 1, maxLength: 600 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 30 }), (names, checks) => {
        const unit = { ...check('unit', false, `${'x'.repeat(9_000)}\nthe last line`), tests: failing(...names) };
        const feedback = checksFeedback(report({ L1: Array.from({ length: checks }, () => unit) }));
        expect(feedback.length).toBeLessThan(40_000);
        expect(feedback.split(`L1/unit: ${names.length} of ${names.length + 2} tests failed:\n- `)).toHaveLength(
          checks + 1,
        );
        expect(feedback.split('the last line')).toHaveLength(checks + 1);
        const named = feedback.split('\n').filter((line) => /^- and \d+ more$/.test(line));
        const more = named.map((line) => Number(/\d+/.exec(line)?.[0]));
        expect(more.every((count) => count > 0 && count < names.length)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test('without a report it says that nothing was verified', () =>
    expect(feedbackOn(iteration())).toContain('No check has verified this work'));
});

describe('L5 feedback on an attempt that failed', () => {
  const fault = { code: 'provider', message: 'the provider refused the key' };

  test.each([
    [agent({ ending: 'cap_hit', limit: { name: 'steps', used: 20, limit: 20 } }), ': step limit reached (20/20).'],
    [
      agent({ ending: 'budget', limit: { name: 'tool_calls', used: 50, limit: 50 } }),
      ': tool budget exhausted (50/50).',
    ],
    [agent({ ending: 'abort', cause: 'error', fault }), ': the provider refused the key. Look'],
    [
      agent({ ending: 'abort', cause: 'error', fault: { ...fault, message: 'Choose another model.' } }),
      ': Choose another model. Look',
    ],
    [agent({ ending: 'abort', cause: 'parent', fault: null }), ': aborted (parent).'],
    [agent(null, 3), ': exit status 3.'],
    [agent(null), ' succeed. Look'],
    [{ ...agent(null, 0), success: false }, ' succeed. Look'],
  ])('L5 %j', (result, words) => expect(feedbackOn(failed(result))).toContain(words));

  test('L5 the failure is told even where an older report is at hand, and never at any length', () => {
    const long = agent({ ending: 'abort', cause: 'error', fault: { ...fault, message: 'x'.repeat(9_000) } });
    const event = { ...failed(long), verificationReport: report({ L0: [check('lint', false, 'old')] }) };
    expect(feedbackOn(event)).toMatch(/^The attempt did not succeed: x+…\. /);
    expect(feedbackOn(event).length).toBeLessThan(2_200);
  });
});

describe('G3 every failed test by name', () => {
  const named = (count: number, message: (n: number) => string) => ({
    ...check('unit', false, 'failed'),
    tests: {
      format: 'list' as const,
      passed: 0,
      failed: count,
      skipped: 0,
      failing: Array.from({ length: Math.min(count, 100) }, (_, n) => ({
        name: `test ${n}`,
        message: message(n),
      })),
    },
  });
  const told = (count: number, message: (n: number) => string) =>
    checksFeedback(report({ L0: [named(count, message)] }));

  test('G3 24 tests with long output are all named, each with the head and the tail of it', () => {
    const feedback = told(24, (n) => `head ${n} ${'I'.repeat(900)} tail ${n}`);
    for (let n = 0; n < 24; n += 1) expect(feedback).toMatch(new RegExp(`- test ${n}: head ${n} I+…I+ tail ${n}\n`));
  });

  test('G3 one failed test is told whole, and short messages leave their room to a long one', () => {
    expect(told(1, () => `head ${'I'.repeat(5_000)} tail`)).toMatch(/- test 0: head I{5000} tail\n/);
    expect(told(5, (n) => (n === 3 ? `head ${'I'.repeat(5_000)} tail` : 'short'))).toMatch(/head I{5000} tail/);
    const feedback = told(2, (n) => `head ${n} ${'I'.repeat(5_000)} tail ${n}`);
    expect(feedback).toMatch(/- test 1: head 1 I+\n {2}\[… the middle is left out …\]\n {2}I+ tail 1\n/);
    expect(feedback.length).toBeLessThan(7_000);
  });

  test('G3 lines of messages count as they are told, so that no test is left out for its indentation', () => {
    const feedback = told(3, () => 'a line\n'.repeat(270).trim());
    for (let n = 0; n < 3; n += 1) expect(feedback).toContain(`- test ${n}: a line\n  a line`);
    expect(feedback).not.toContain('more');
  });

  test('G3 of 2,000 failed tests those that the log has are named, the others counted', () => {
    const feedback = told(2_000, () => 'x'.repeat(1_000));
    expect(feedback).toContain('2000 of 2000 tests failed:');
    expect(feedback).toContain('- test 99');
    expect(feedback).toContain('- and 1900 more');
    expect(feedback.length).toBeLessThan(8_000);
  });
});
