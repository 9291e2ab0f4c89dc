import { expect, test } from 'vitest';
import { excerptOf, linesOf, plain } from './demo-recording.ts';
import { terminalSvg } from './terminal-svg.ts';

const dim = (text: string): string => `\u001B[2m${text}\u001B[22m`;
const red = (text: string): string => `\u001B[31m${text}\u001B[39m`;

test('a recording keeps the lines that stay on the terminal, without times, token counts and ids', () => {
  const output = [
    'step 1 · 2 s\r\u001B[Kdone\r',
    `L1 node --test ${dim('0.2 s')}\r`,
    `L1 node --test ${dim('2 passed, 0.2 s')}\r`,
    red('✖ sums (0.828508ms)'),
    '3 iterations, 25,957 tokens, in 6.4 s',
    'Proof: 01a205a6-2a55-73b1-9b45-0987e0cf4f64/16',
  ];
  const expected = [
    'done',
    'L1 node --test',
    `L1 node --test ${dim('2 passed')}`,
    red('✖ sums'),
    '3 iterations',
    'Proof: 01…/16',
  ];
  expect(linesOf(output.join('\n'))).toEqual(expected);
});

test('the excerpt has every step of the first iteration, the last step of the others, and no paths', () => {
  const iteration = (of: string) => [
    of,
    `  ${dim('step 1')}  Look.`,
    `    ${dim('›')} list`,
    `  ${dim('step 2')}  Done.`,
    '  checks',
    '',
  ];
  const lines = [
    'Hello',
    `${dim('  where   /tmp/x')}`,
    '',
    '',
    ...iteration('iteration 1/2'),
    ...iteration('iteration 2/2'),
  ];
  const excerpt = excerptOf([...lines, 'success', '', 'Everything that happened is in a log. Try:', 'git diff']);
  expect(plain(excerpt)).toBe(
    [
      'Hello',
      '',
      'iteration 1/2',
      '  step 1  Look.',
      '    › list',
      '  step 2  Done.',
      '  checks',
      '',
      'iteration 2/2',
      '  …',
      '  step 2  Done.',
      '  checks',
      '',
      'success',
    ].join('\n'),
  );
});

test('the picture of a terminal has each piece at its column, in its colour, with signs escaped', () => {
  const picture = terminalSvg('npm start', [`ab  ${red('<c>')}`, '']);
  expect(picture).toContain('<title>npm start</title>');
  expect(picture).toContain(
    '<tspan x="22.0" fill="#e6edf3">ab</tspan><tspan x="55.7" fill="#ff7b72">&lt;c&gt;</tspan>',
  );
  expect(() => terminalSvg('', ['\u001B[45mpurple'])).toThrow('no colour for code 45');
});
