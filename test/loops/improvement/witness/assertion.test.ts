import { expect, test } from 'vitest';
import { isAssertion } from '../../../../src/loops/improvement/witness/judge-acceptance.ts';

test.each([
  'Expected values to be strictly equal:\n\n1 !== 2',
  'Missing expected exception.',
  'ValidationError is exported',
  "'Unexpected token }' is what it says",
  'assert 1 == 2',
  'AssertionError: 3 != 4',
  'Failed: DID NOT RAISE <class ValueError>',
  'Error: expect(received).toBe(expected)',
  "thread 'a' panicked at src/lib.rs:3:5:\nassertion `left == right` failed",
])('I12 %j is an assertion', (message) => expect(isAssertion(message)).toBe(true));

test.each([
  'TypeError: retry is not a function',
  'Error: boom',
  'Exception: boom',
  'SystemExit: 1',
  'subprocess.TimeoutExpired: Command',
  "ENOENT: no such file or directory, open 'x'",
  "Error [ERR_MODULE_NOT_FOUND]: Cannot find module 'x'",
  "fixture 'db' not found",
  'panic: runtime error: nil map',
  "thread 'a' panicked at src/lib.rs:3:5:\nindex out of bounds",
])('I12 %j is no assertion', (message) => expect(isAssertion(message)).toBe(false));
