import { expect, test } from 'vitest';
import { NO_SPEND } from '../../../machines/outcome.ts';
import { withShares } from '../../../src/loops/turn/delegation-share.ts';
import { LIMITS, settingsOf } from '../../support/facts.ts';

const call = (callId: string, tool: string) => ({ callId, providerId: null, tool, arguments: {} });
const none = { maxSteps: null, maxTokens: null };
const delegator = (maxToolCalls: number) => ({
  settings: settingsOf('turn'),
  life: { limits: { ...LIMITS, ...none, maxToolCalls }, spend: NO_SPEND, reserved: {} },
});

test('every call of an answer counts before the rest is shared, delegations and others alike', () => {
  const calls = [call('0.0', 'read'), call('0.1', 'delegate'), call('0.2', 'read')];
  const actorOf = ({ tool }: { tool: string }) => (tool === 'read' ? 'runTool' : 'runAgent');
  const share = { tokens: null, nanoUsd: null, steps: null, toolCalls: 4 };
  expect(withShares(calls, actorOf, delegator(11)).run).toEqual([
    { callId: '0.0', actor: 'runTool' },
    { callId: '0.1', actor: 'runAgent', share },
    { callId: '0.2', actor: 'runTool' },
  ]);
});
