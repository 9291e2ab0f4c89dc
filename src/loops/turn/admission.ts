import type { EventOf, ToolCall } from '../../../machines/events.ts';
import { MAX_CALLS_A_STEP } from '../../../machines/turn.machine.ts';
import { admit, type Blocked, remainingCalls } from '../../budget/admit.ts';
import type { RunContext } from '../../kernel/effect-handlers.ts';
import { lifeOf } from '../../kernel/fold.ts';
import type { RunMemory } from '../../kernel/loop-memory.ts';
import type { CallKind } from '../../kernel/call-kinds.ts';
import type { OwnJudgement } from '../../kernel/loop-judging.ts';
import { deniedText, rulingsOf } from '../call-permissions.ts';
import { withShares } from './delegation-share.ts';
import type { CallRuling } from '../../permissions/call-ruling.ts';
import type { TurnMemory } from './memory.ts';

type Admission = EventOf<'calls.admitted'>['payload'];

/** The effect that answers each kind of call. */
export const CALL_ACTORS = { tool: 'runTool', person: 'askPerson', child: 'runAgent' } as const satisfies {
  readonly [kind in CallKind]: string;
};

/** Decides which calls of the newest answer may run. `actorOf` names the effect that performs a call. */
export function admitted(
  { state }: Pick<RunContext, 'state'>,
  { own, findings, settings }: RunMemory,
  actorOf: (call: ToolCall) => string,
): Admission {
  const { answer, permissions } = own as TurnMemory;
  const { limits, spend } = lifeOf(state);
  // A call that a finding stops the run for is not performed once more first.
  const blocks = findings.filter(({ level, calls }) => level === 'block' || (level === 'stop' && calls !== undefined));
  const calls = answer?.calls ?? [];
  const rulings = rulingsOf(calls, settings, permissions);
  const blocked: Blocked = new Map([
    ...[...rulings].flatMap(([callId, { action, because }]) =>
      action === 'deny' ? [[callId, deniedText(because)] as const] : [],
    ),
    ...blocks.flatMap(({ calls: those = [], message }) => those.map((callId) => [callId, message] as const)),
  ]);
  const { run, refused } = admit(calls, remainingCalls(limits, spend), blocked, MAX_CALLS_A_STEP);
  const isAsked = ({ callId }: Pick<ToolCall, 'callId'>) => rulings.get(callId)?.action === 'ask';
  const answering = (call: ToolCall) => (isAsked(call) ? CALL_ACTORS.person : actorOf(call));
  const shared = withShares(run, answering, { settings, life: lifeOf(state) });
  return {
    run: shared.run.map((one) => withQuestion(one, rulings.get(one.callId))),
    refused: [...refused, ...shared.refused],
    ...(blocks.length > 0 ? { findings: blocks } : {}),
  };
}

type RunningCall = Admission['run'][number];

/** A call that a person is asked about first, with what they allow. */
function withQuestion(call: RunningCall, ruling: CallRuling | undefined): RunningCall {
  if (ruling?.action !== 'ask') return call;
  const { because, digest, remembers } = ruling;
  return { ...call, permission: { because, digest, remembers: [...remembers] } };
}

/** Admits recorded calls again, under other limits or detectors. Calls that ran keep the effect that performed them. */
export const admission: OwnJudgement = {
  kind: 'admission',
  again({ run }: Admission, { state, settings, memory, callKind }) {
    const actors = new Map(run.map(({ callId, actor }) => [callId, actor]));
    const actorOf = (call: ToolCall) => actors.get(call.callId) ?? CALL_ACTORS[callKind(call, settings.tools)];
    return admitted({ state }, memory, actorOf);
  },
  verdict({ refused }: Admission) {
    const calls = refused.map(({ callId }) => callId).toSorted();
    return calls.length === 0 ? 'all calls run' : `refuses ${calls.join(', ')}`;
  },
  because: ({ refused }: Admission) => refused.map(({ reason }) => reason).join('; '),
  differs: 'in what is refused',
};
