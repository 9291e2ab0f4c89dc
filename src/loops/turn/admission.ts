import type { EventOf, ToolCall } from '../../../machines/events.ts';
import { MAX_CALLS_A_STEP } from '../../../machines/turn.machine.ts';
import { admit, type Blocked, remainingCalls } from '../../budget/admit.ts';
import type { RunContext } from '../../kernel/effect-handlers.ts';
import { lifeOf } from '../../kernel/fold.ts';
import type { RunMemory } from '../../kernel/loop-memory.ts';
import type { CallKind } from '../../kernel/deciding.ts';
import type { OwnJudgement } from '../../kernel/own-judgement.ts';
import { withShares } from './delegation-share.ts';
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
  const { answer } = own as TurnMemory;
  const { limits, spend } = lifeOf(state);
  // A call that a finding stops the run for is not performed once more first.
  const blocks = findings.filter(({ level, calls }) => level === 'block' || (level === 'stop' && calls !== undefined));
  const blocked: Blocked = new Map(
    blocks.flatMap(({ calls = [], message }) => calls.map((callId) => [callId, message] as const)),
  );
  const { run, refused } = admit(answer?.calls ?? [], remainingCalls(limits, spend), blocked, MAX_CALLS_A_STEP);
  const shared = withShares(run, actorOf, { settings, life: lifeOf(state) });
  return {
    run: shared.run,
    refused: [...refused, ...shared.refused],
    ...(blocks.length > 0 ? { findings: blocks } : {}),
  };
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
