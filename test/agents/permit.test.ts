import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CALL_KINDS } from '../../src/agents/agent-port.ts';
import { AskedCalls } from '../../src/agents/call-questions.ts';
import { callRuling } from '../../src/permissions/call-ruling.ts';
import { PermissionMemory } from '../../src/permissions/permission-memory.ts';

const DIRECTORY = '/project/work';
const names = fc.array(
  fc.stringMatching(/^[a-z.]{1,8}$/).filter((name) => !/^[.]+$/.test(name)),
  { minLength: 1 },
);
const WITHOUT_RULES = { permissions: { rules: [] }, directory: DIRECTORY, isWalled: false, isForeign: true };

/** The answer to a question of an agent in a run without rules. */
const permit = (kind: (typeof CALL_KINDS)[number], paths: readonly string[]) =>
  new AskedCalls((call) => callRuling(call, WITHOUT_RULES, new PermissionMemory())).permit({
    call: 'c',
    title: 'npm test',
    kind,
    paths,
    input: null,
  });

test('X1 work on any path in the workspace is allowed, written from it or from the root', () =>
  fc.assert(
    fc.asyncProperty(names, fc.boolean(), async (way, isAbsolute) => {
      const path = isAbsolute ? join(DIRECTORY, ...way) : way.join('/');
      expect(await permit('edit', [path])).toBe('allowed');
    }),
  ));

const outside = fc.constantFrom('../', '../../', '/', '/project/', '/project/work-2/', 'a/../../', '../work-2/');
const working = fc.constantFrom('edit', 'read', 'execute', 'delete', 'think', 'fetch');

test('X1 work on any path outside is refused, also beside one inside', () =>
  fc.assert(
    fc.asyncProperty(working, outside, names, async (kind, way, [first = 'a', ...rest]) => {
      const path = `${way}${first === 'work' || first === 'project' ? 'other' : first}/${rest.join('/')}`;
      expect(await permit(kind, ['inside.txt', path])).toBe('refused');
    }),
  ));

test('X1 what leaves the workspace by its kind is refused', async () => {
  const answers = await Promise.all(CALL_KINDS.map((kind) => permit(kind, [])));
  expect(CALL_KINDS.filter((_, index) => answers[index] === 'refused')).toEqual(['fetch', 'switch_mode', 'other']);
});
