import { describe, expect, test } from 'vitest';
import { isRalphLabel, parseRalphWiggumConfig } from '../../src/ralph/index.ts';

describe('R1 the labels that choose the loop', () => {
  test.each([
    ['ralph-wiggum', 10],
    ['ralph-wiggum-1', 1],
    ['ralph-wiggum-20', 20],
    ['ralph-wiggum-100', 100],
    ['RALPH-WIGGUM-20', 20],
    ['Ralph-Wiggum', 10],
    ['ralph-wiggum-007', 7],
    [' ralph-wiggum-3 ', 3],
    ['ralph-wiggum-0', 0],
  ])('R1 %j asks for %i iterations', (label, maxIterations) => {
    expect(parseRalphWiggumConfig([label])).toMatchObject({ enabled: true, maxIterations, label, warnings: [] });
  });

  test.each([
    'ralph-wiggum-abc',
    'ralph-wiggum-',
    'ralph-wiggum--3',
    'ralph-wiggum-3x',
    'ralph-wiggum-1.5',
    'ralph-wiggum-٣',
    'xralph-wiggum',
    'ralph wiggum',
    'ralph_wiggum',
    'ralph',
    'wiggum',
    '',
  ])('R1 %j is another label', (label) => {
    expect(isRalphLabel(label)).toBe(false);
    expect(parseRalphWiggumConfig([label])).toBeNull();
  });

  test('R1 the first matching label wins, with a warning for each other one', () => {
    const config = parseRalphWiggumConfig(['bug', 'ralph-wiggum-3', 'ralph-wiggum', 'RALPH-WIGGUM-5']);
    expect(config).toMatchObject({ maxIterations: 3, label: 'ralph-wiggum-3' });
    expect(config?.warnings).toEqual([
      'label ralph-wiggum is ignored: ralph-wiggum-3 comes first.',
      'label RALPH-WIGGUM-5 is ignored: ralph-wiggum-3 comes first.',
    ]);
  });

  test.each([
    ['ralph-wiggum-101', 100, 100],
    ['ralph-wiggum-99999999999999999999999', 100, 100],
    ['ralph-wiggum-9', 8, 8],
    ['ralph-wiggum-9', 1, 1],
  ])('R1 %s is reduced to the ceiling %i with a warning', (label, ceiling, maxIterations) => {
    const config = parseRalphWiggumConfig([label], ceiling);
    expect(config).toMatchObject({ maxIterations });
    expect(config?.warnings).toEqual([
      `label ${label}: the ceiling is ${ceiling} iteration${ceiling === 1 ? '' : 's'}, so ${ceiling} is used.`,
    ]);
  });

  test('R1 a label without a number is not above a lower ceiling', () =>
    expect(parseRalphWiggumConfig(['ralph-wiggum'], 4)).toMatchObject({ maxIterations: 4, warnings: [] }));
});
