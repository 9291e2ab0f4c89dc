import type { ToolCall } from '../../../../machines/events.ts';
import type { TurnMemory } from '../../../loops/turn/memory.ts';
import type { HandlerMemory } from './handler-memory.ts';

/** The call of the model's newest answer that has this id. */
export const requestedCall = ({ judge }: HandlerMemory, callId: string | undefined): ToolCall | undefined =>
  (judge.own as TurnMemory).answer?.calls.find((call) => call.callId === callId);
