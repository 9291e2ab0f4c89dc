import { expect, test } from 'vitest';
import { evidenceLines } from '../../src/cli/pages/evidence-lines.ts';
import { sound } from '../evidence/sound-proof.ts';

test('V5 work whose tests that must fail did not has no grade on its page', () => {
  const control = { held: [], broken: ['test/sum.test.js'], unnoticed: [] };
  const lines = evidenceLines({ ...sound, control });
  expect(lines.join('\n')).not.toContain('verified');
  expect(lines).toContain('    control: tests that must fail did not, in test/sum.test.js');
  expect(evidenceLines(sound).join('\n')).toContain('    verified: no test failed before and passes now');
});
