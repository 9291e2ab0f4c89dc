import type { EventOf, ToolCall } from '../../../machines/events.ts';
import { MAX_CALLS_A_STEP } from '../../../machines/turn.machine.ts';
import { admit, type Blocked, remainingCalls } from '../../budget/admit.ts';
import type { Situation } from '../../runtime/cast.ts';
import { lifeOf } from '../../runtime/fold.ts';
import { withShares } from './handing-over.ts';
import type { RunMemory } from '../../runtime/loop-memory.ts';
import type { TurnMemory } from './memory.ts';

/** Which calls of the newest answer may run. `actorOf` tells who performs one. */
export function admitted(
  { state }: Pick<Situation, 'state'>,
  { own, findings, settings }: RunMemory,
  actorOf: (call: ToolCall) => EventOf<'calls.admitted'>['payload']['run'][number]['actor'],
): EventOf<'calls.admitted'>['payload'] {
  const { answer } = own as TurnMemory;
  const { limits, spend } = lifeOf(state);
  // What leads to a stop is not done once more first.
  const blocks = findings.filter(({ level, calls }) => level === 'block' || (level === 'stop' && calls !== undefined));
  const blocked: Blocked = new Map(blocks.flatMap(({ calls = [], message }) => calls.map((callId) => [callId, message] as const)));
  const { run, refused } = admit(answer?.calls ?? [], remainingCalls(limits, spend), blocked, MAX_CALLS_A_STEP);
  const shared = withShares(run, actorOf, { settings, life: lifeOf(state) });
  return {
    run: shared.run,
    refused: [...refused, ...shared.refused],
    ...(blocks.length > 0 ? { findings: blocks } : {}),
  };
}
