import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CALL_KINDS } from '../../src/agents/agent-port.ts';
import { permit } from '../../src/agents/permit.ts';

const DIRECTORY = '/project/work';
const names = fc.array(
  fc.stringMatching(/^[a-z.]{1,8}$/).filter((name) => !/^[.]+$/.test(name)),
  { minLength: 1 },
);
const question = (kind: (typeof CALL_KINDS)[number], paths: readonly string[]) => ({
  call: 'c',
  title: '',
  kind,
  paths,
});

test('X1 work on any path in the workspace is allowed, written from it or from the root', () =>
  fc.assert(
    fc.property(names, fc.boolean(), (way, isAbsolute) => {
      const path = isAbsolute ? join(DIRECTORY, ...way) : way.join('/');
      expect(permit(question('edit', [path]), DIRECTORY)).toBe('allowed');
    }),
  ));

const outside = fc.constantFrom('../', '../../', '/', '/project/', '/project/work-2/', 'a/../../', '../work-2/');

test('X1 work on any path outside is refused, also beside one inside', () =>
  fc.assert(
    fc.property(outside, names, (way, [first = 'a', ...rest]) => {
      const path = `${way}${first === 'work' || first === 'project' ? 'other' : first}/${rest.join('/')}`;
      expect(permit(question('edit', ['inside.txt', path]), DIRECTORY)).toBe('refused');
    }),
  ));

test('X1 what leaves the workspace by its kind is refused', () => {
  const allowed = CALL_KINDS.filter((kind) => permit(question(kind, []), DIRECTORY) === 'allowed');
  expect(CALL_KINDS.filter((kind) => !allowed.includes(kind))).toEqual(['fetch', 'switch_mode', 'other']);
});
