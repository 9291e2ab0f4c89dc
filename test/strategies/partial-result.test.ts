import { describe, expect, test } from 'vitest';
import { HybridStrategy } from '../../src/strategies/hybrid.ts';
import { heard, lastWord, type Told } from './told.ts';

const stuck: Told = { passes: ['types', 'lint', 'unit'] };
const closer: Told = { passes: ['types', 'lint', 'unit', 'cases'] };
const same: Told = { ...stuck, workspaceHash: 'tree' };

describe('L10 a partial result', () => {
  const taking = (after: number, base = 3, bonus = 0) =>
    new HybridStrategy(base, bonus, 0.1, { acceptPartialAfter: after });
  const partial = { continue: false, action: 'complete', partial: true };

  test('L10 is taken where the loop would stop without success: at its cap, in a circle, without progress', () => {
    expect(lastWord(taking(3), stuck, stuck, stuck)).toMatchObject({
      ...partial,
      reason: 'iteration 3/3: no iteration is left; the best result so far is accepted',
    });
    expect(lastWord(taking(3, 9), same, same, same)).toMatchObject(partial);
    expect(lastWord(taking(2, 1, 5), stuck, stuck)).toMatchObject(partial);
  });

  test('L10 not before so many iterations, never unasked, and not where every attempt failed', () => {
    expect(lastWord(taking(4), stuck, stuck, stuck)).toMatchObject({ action: 'timeout' });
    expect(lastWord(new HybridStrategy(3, 0, 0.1), stuck, stuck, stuck).partial).toBeUndefined();
    const failed = { agentSuccess: false };
    expect(lastWord(taking(3), failed, failed, failed)).toMatchObject({ action: 'timeout' });
    expect(lastWord(taking(3), stuck, failed, failed)).toMatchObject(partial);
  });

  test('L10 a workspace as the run found it that passes no check is no result', () => {
    const nothing: Told = { passes: [], workspaceHash: 'start', workspaceAtStart: 'start' };
    const why = 'no partial result is accepted: no check passed, and no file has changed';
    expect(lastWord(taking(2, 2), nothing, nothing)).toMatchObject({
      action: 'timeout',
      reason: `iteration 2/2: no iteration is left; ${why}`,
    });
    expect(lastWord(taking(3, 9), nothing, nothing, nothing)).toMatchObject({ action: 'fail' });
    const unchecked: Told = { workspaceHash: 'start', workspaceAtStart: 'start', output: 'nothing to do' };
    const byNothing = new HybridStrategy(1, 0, 0.1, { acceptPartialAfter: 1, completionCriteria: [] });
    expect(lastWord(byNothing, unchecked)).toMatchObject({ action: 'timeout' });
  });

  test.each<[string, Told]>([
    ['a file has changed', { passes: [], workspaceHash: 'other', workspaceAtStart: 'start' }],
    ['a check passes', { passes: ['types'], workspaceHash: 'start', workspaceAtStart: 'start' }],
    ['the beginning is unknown', { passes: [], workspaceHash: 'start' }],
  ])('L10 a result is accepted where %s', (_, result) => expect(lastWord(taking(1, 1), result)).toMatchObject(partial));

  test('L10 an iteration before that came closer is accepted where the newest is nothing', () => {
    const nothing: Told = { passes: [], workspaceHash: 'start', workspaceAtStart: 'start' };
    expect(lastWord(taking(2, 2), { ...stuck, workspaceAtStart: 'start' }, nothing)).toMatchObject(partial);
  });

  test('L10 it ends nothing early', () => expect(heard(taking(1, 3, 2), stuck, stuck, closer)).toHaveLength(3));
});
