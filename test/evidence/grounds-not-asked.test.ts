import { describe, expect, test } from 'vitest';
import type { RecordedProof } from '../../machines/recorded-proof.ts';
import { evidenceLines } from '../../src/app/views/evidence-lines.ts';
import { unaskedText } from '../../src/app/views/text-of-unasked.ts';
import { unaskedGrounds } from '../../src/evidence/grounds-not-asked.ts';
import { sound } from './sound-proof.ts';

const failed = (...paths: readonly string[]): RecordedProof => ({
  ...sound,
  legs: [{ leg: 'base', tree: 'work', passed: false }],
  grounds: paths.map((path) => ({ path, how: 'restored' as const })),
  groundsChanged: paths.length,
});
const renamed = failed('test/sum.test.ts');

describe('V6 changed tests that no person was asked about', () => {
  test('V6 what helps is said where a check failed without them, and the work was not tried with its own', () => {
    expect(unaskedText(renamed)).toMatch(/start again with --allow-grounds test\/sum\.test\.ts$/);
    expect(evidenceLines({ passed: false, proof: renamed }).join('\n')).toContain(
      '--allow-grounds test/sum.test.ts\n    walls',
    );
  });

  test.each<[string, RecordedProof | undefined]>([
    ['a run without a proof', undefined],
    ['checks that pass', sound],
    ['work that changed no ground', failed()],
    [
      'work that was tried with its own, too',
      { ...renamed, legs: [...renamed.legs, { leg: 'work', tree: 'w', passed: false }] },
    ],
    [
      'a person who was asked',
      { ...renamed, dispute: { is: 'denied', digest: '', diff: '', tests: [], testsCount: 0 } },
    ],
    ['work that is not begun', { ...renamed, unchanged: true }],
    ['tests that were only added', { ...renamed, grounds: [{ path: 'test/more.test.ts', how: 'absent' }] }],
  ])('V6 nothing is said of %s', (_, proof) => expect(unaskedText(proof)).toBeNull());

  test('V6 only what kept a check from passing is named, as globs that fit it', () => {
    const both = { ...failed('test/a [b].test.ts'), groundsChanged: 2 };
    const proof = { ...both, grounds: [...both.grounds, { path: 'test/more.test.ts', how: 'absent' as const }] };
    expect(unaskedGrounds(proof)).toEqual(['test/a [b].test.ts']);
    expect(unaskedText(proof)).toMatch(/--allow-grounds 'test\/a \?b\?\.test\.ts'$/);
    expect(unaskedText(failed('a.test.ts', 'b.test.ts', 'c.test.ts', 'd.test.ts'))).toMatch(/--allow-grounds GLOB$/);
  });
});
