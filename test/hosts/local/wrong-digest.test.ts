import { expect, test } from 'vitest';
import { temporaryFolder } from '../../git/repository.ts';
import { leftWaiting, office, request } from './office.ts';

test.each([
  ['f'.repeat(64), 'it was mistyped, or is of what was there before'],
  ['0'.repeat(8), 'has 8 characters, not 16 or more'],
])('the digest %s of a request to read is refused as one that is not of the path', async (digest, says) => {
  const place = await temporaryFolder();
  const harness = office({ answers: [{ calls: [request(place)] }, { text: 'done' }] });
  const run = await leftWaiting(harness);
  const refused = await harness.loops().grant(run, { granted: true, digest });
  expect(refused).toMatchObject({ kind: 'refused', because: 'has_changed', message: expect.stringContaining(says) });
  expect(refused).toMatchObject({ message: expect.stringContaining('loopfold inbox') });
  expect(refused).not.toMatchObject({ message: expect.stringContaining('leads to') });
});
