import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { BLOB_THRESHOLD_BYTES } from '../../src/log/event-store.ts';
import { blobOf, prepare } from '../../src/log/prepare-events.ts';
import { fact } from '../../src/testing/log-contract/contract.ts';

function preparedText(length: number) {
  const events = [fact('x'.repeat(length - 2))];
  const result = prepare({ run: 'a', events, expectedVersion: 0, epoch: 1 });
  if (result.kind !== 'prepared') throw new Error(result.kind);
  return result.events[0];
}

test('a payload at the threshold stays in its event, one byte more makes it a blob', () => {
  const inside = preparedText(BLOB_THRESHOLD_BYTES);
  expect(inside?.blob).toBeNull();
  expect(inside?.text).toHaveLength(BLOB_THRESHOLD_BYTES);
  const outside = preparedText(BLOB_THRESHOLD_BYTES + 1);
  const sha = createHash('sha256')
    .update(`"${'x'.repeat(BLOB_THRESHOLD_BYTES - 1)}"`)
    .digest('hex');
  expect(outside?.text).toBe(`{"$blob":"${sha}","bytes":${BLOB_THRESHOLD_BYTES + 1}}`);
  expect(outside?.blob?.sha256).toBe(sha);
  expect(blobOf(outside?.text ?? '')).toBe(sha);
});
