import { expect, test } from 'vitest';
import type { PermissionQuestion } from '../../src/agents/agent-port.ts';
import { AskedCalls } from '../../src/agents/call-questions.ts';
import type { Called } from '../../src/permissions/call-parts.ts';
import type { CallRuling } from '../../src/permissions/call-ruling.ts';

const ruled =
  (action: CallRuling['action']) =>
  (call: Called): CallRuling => ({ action, because: 'a rule', digest: JSON.stringify(call), remembers: [] });
const edit = (call: string, title: string): PermissionQuestion => ({
  call,
  title,
  kind: 'edit',
  paths: ['repo/a.ts'],
  input: null,
});

test('X9 the same question twice is refused twice, and a person is asked about it once', async () => {
  const asked = new AskedCalls(ruled('ask'));
  expect(await asked.permit(edit('t1', 'Edit a.ts'))).toBe('refused');
  expect(await asked.permit(edit('t2', 'Edit a.ts again'))).toBe('refused');
  expect(asked.calls(3)).toEqual([
    { callId: '3.0', providerId: null, tool: 'edit', arguments: { paths: ['repo/a.ts'] } },
  ]);
});

test('X9 the same question twice is allowed twice, and no person is asked', async () => {
  const asked = new AskedCalls(ruled('allow'));
  expect([await asked.permit(edit('t1', 'Edit a.ts')), await asked.permit(edit('t1', 'Edit a.ts'))]).toEqual([
    'allowed',
    'allowed',
  ]);
  expect(asked.calls(0)).toEqual([]);
});

test('X9 of many different questions the first twenty are for a person, and all are refused', async () => {
  const asked = new AskedCalls(ruled('ask'));
  for (let index = 0; index < 30; index += 1) {
    const question = { ...edit(`t${index}`, 'Edit'), paths: [`repo/${index}.ts`] };
    expect(await asked.permit(question)).toBe('refused');
  }
  expect(asked.calls(0)).toHaveLength(20);
});
