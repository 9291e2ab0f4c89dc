import { expect, test } from 'vitest';
import { WAITING_WORDS, waitIn } from '../../src/detectors/waits.ts';
import { fc } from '../support/fast-check.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

test.each([
  ['sleep 60; gh run view 4711', MINUTE],
  ['sleep 5', 5 * SECOND],
  ['sleep 2m && npm test', 2 * MINUTE],
  ['sleep 1m 30s', 90 * SECOND],
  ['sleep 1.5h', 90 * MINUTE],
  ['sleep 3 && sleep 4', 7 * SECOND],
  ['kubectl get pods -l app=shop --no-headers; sleep 15', 15 * SECOND],
  ['until curl -sf localhost:3000; do sleep 10; done', 10 * SECOND],
  ['timeout 100 sleep 20', 20 * SECOND],
  ['sleep 2; kubectl get pods', 2 * SECOND],
])('D17 %j says that it waits for %d ms', (command, ms) => expect(waitIn(command)).toBe(ms));

test.each([
  'kubectl get pods',
  'kubectl get pods | grep web | wc -l',
  'cd app && gh run list --limit 3 | head -3',
  'GH_TOKEN=x gh pr checks 12',
  'tail -n 5 server.log',
  'date; docker ps; echo ---',
  'timeout 60 tail -f server.log',
  'gh pr checks 12 --watch',
  'systemctl is-active web || true',
])('D17 %j looks at what it waits for, without a pause', (command) => expect(waitIn(command)).toBe(0));

test.each([
  '',
  'npm test',
  'node server.js & sleep 2',
  'npm test; sleep 2',
  'gh pr create --title x',
  'gh runner list',
  'echo sleep 60',
  'git commit -m "sleep 60 before the next try"',
  'tail -5 a.log && npm test',
  'cat a.log | tail -5',
  'grep -rn kubectl docs',
  'systemctl restart web',
])('D17 %j does not wait, as far as its words tell', (command) => expect(waitIn(command)).toBe(null));

test('D17 the words of a run replace those that are known', () => {
  expect(waitIn('buildkite status 7', ['buildkite'])).toBe(0);
  expect(waitIn('sleep 60', ['buildkite'])).toBe(null);
  expect(WAITING_WORDS).toContain('sleep');
});

test('D17 whatever a command says, a wait is a number of milliseconds', () => {
  const piece = fc.constantFrom(
    ...WAITING_WORDS,
    ';',
    '&&',
    '|',
    '&',
    '(',
    ')',
    '"',
    '1',
    '9'.repeat(400),
    's',
    'd',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const ms = waitIn(pieces.join(' '));
      expect(ms === null || (Number.isFinite(ms) && ms >= 0)).toBe(true);
    }),
  );
  expect(waitIn(`sleep ${'9'.repeat(400)}d`)).toBeLessThan(1e10);
});
