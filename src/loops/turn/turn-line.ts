import type { AgentReport } from '../../../machines/agent-report.ts';
import type { EventOf, Recorded, ToolCall, TurnEvent } from '../../../machines/events.ts';
import { shareText } from '../../budget/limits-text.ts';
import { amount } from '../../text/money.ts';
import { listed } from '../../text/list-text.ts';
import { callArgument, noticed } from '../../projections/phrases.ts';
import { permissionWords } from '../call-words.ts';
import { isIdle } from './no-answer.ts';

type Worked = EventOf<'agent.worked'>['payload'];

const MAX_ARGUMENT_CHARS = 60;

/** An event of a turn in one line; steps are counted from 1. Null: the event belongs to every loop. */
export function turnLine({ type, payload }: Recorded<TurnEvent>): string | null {
  switch (type) {
    case 'step.started':
      return `step ${payload.step + 1}${payload.reserved ? `, ${shareText(payload.reserved)} set aside` : ''}`;
    case 'model.completed':
      return [
        payload.text,
        ...(payload.agent ? [reportText(payload.agent)] : []),
        ...payload.calls.map(callText),
        ...(payload.callsFrom ? ['(calls read from its text)'] : []),
        ...(payload.cut
          ? [isIdle(payload.cut) ? `(did nothing: ${payload.cut})` : `(ended early: ${payload.cut})`]
          : []),
      ].join(' ');
    case 'agent.worked':
      return workText(payload);
    case 'model.failed':
      return `${payload.fault.code}: ${payload.fault.message}`;
    case 'model.interrupted':
      return payload.text === '' ? payload.reason : `${payload.reason}: ${payload.text}`;
    case 'model.retried':
      return `try ${payload.attempt} failed: ${payload.fault.message}`;
    case 'model.limited':
      return `until ${payload.retryAt}${payload.fault ? `: ${payload.fault.message}` : ''}`;
    case 'model.replaced':
      return `${payload.to} in place of ${payload.from}: ${payload.fault.message}`;
    case 'context.filled':
      return 'the conversation no longer fits';
    case 'context.compacted':
      return payload.summary;
    case 'calls.admitted':
      return admittedText(payload);
    case 'tool.completed':
      return `${payload.callId}: ${payload.output}`;
    case 'tool.failed':
      return `${payload.callId}: ${payload.fault.message}`;
    case 'tool.interrupted':
      return `${payload.callId}: ${payload.reason}`;
    case 'server.asked':
      return payload.question.opens
        ? `${payload.callId}: walls refuse ${listed(payload.question.opens, 'and')}`
        : `${payload.callId}: ${payload.question.server} asks: ${payload.question.message}`;
    case 'server.answered':
      return `${payload.callId}: ${payload.answer}`;
    case 'person.answered':
      return `${payload.callId}: ${payload.permission ? permissionWords(payload.permission) : payload.answer}`;
    default:
      return null;
  }
}

function admittedText({ run, refused, findings }: EventOf<'calls.admitted'>['payload']): string {
  const shares = run.map(({ callId, share }) => (share ? `, ${callId} may use ${shareText(share)}` : '')).join('');
  const asked = run
    .map(({ callId, permission }) => (permission ? `, ${callId} waits for a person: ${permission.because}` : ''))
    .join('');
  const refusals = refused.map(({ callId, reason }) => `, ${callId} refused: ${reason}`).join('');
  return `${amount(run.length, 'call')}${shares}${asked}${refusals}${noticed(findings)}`;
}

/** Says what an agent of others reports that it did. */
function reportText({ name, calls, permissions, leftOut = 0, idle }: AgentReport): string {
  const refused = permissions.filter(({ answer }) => answer !== 'allowed').length;
  const parts = [
    amount(calls.length + leftOut, 'call'),
    ...(refused > 0 ? [`${amount(refused, 'question')} refused`] : []),
    ...(idle ? ['no file changed'] : []),
  ];
  return `(${name}: ${parts.join(', ')})`;
}

/** Says what an agent of others did in the meantime. */
function workText({ session, said = [], calls = [], permissions = [], plan = [], leftOut }: Worked): string {
  const parts = [
    ...(session ? [`session ${session.id}${session.product ? ` of ${session.product}` : ''}`] : []),
    ...said.map((text) => `"${text}"`),
    ...calls.map(({ kind, title, status }) => `${kind}: ${title}, ${status.replace('_', ' ')}`),
    ...permissions.map(({ kind, title, answer }) => `asked for ${kind}: ${title}, ${answer}`),
    ...(plan.length > 0 ? [`plan: ${plan.map(({ text, status }) => `${text} (${status})`).join(', ')}`] : []),
    ...(leftOut === undefined ? [] : [`${leftOut} more`]),
  ];
  return parts.join('; ');
}

const callText = (call: ToolCall) => `${call.tool}(${callArgument(call, MAX_ARGUMENT_CHARS)})`;
