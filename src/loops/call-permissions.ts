import { isAgentModel } from '../../machines/agent-model.ts';
import type { EventOf, ToolCall } from '../../machines/events.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { GivenAnswer } from '../kernel/loop-definition.ts';
import { type CallRuling, callRuling, type Ruled } from '../permissions/call-ruling.ts';
import type { PermissionMemory } from '../permissions/permission-memory.ts';
import { sentence } from '../text/sentence.ts';

type PersonAnswer = EventOf<'person.answered'>['payload'];

/** What the rules of a run are about. A run without any is ruled by none. */
export const ruledBy = ({ permissions, directory, sandbox, model }: RunSettings): Ruled => ({
  permissions: permissions ?? { rules: [] },
  directory,
  isWalled: sandbox !== undefined,
  isForeign: isAgentModel(model),
});

/** The rulings over the calls of an answer, by their ids. Empty where the run has no rules. */
export function rulingsOf(
  calls: readonly ToolCall[],
  settings: RunSettings,
  memory: PermissionMemory,
): ReadonlyMap<string, CallRuling> {
  if (!settings.permissions) return new Map();
  const ruled = ruledBy(settings);
  return new Map(calls.map((call) => [call.callId, callRuling(call, ruled, memory)]));
}

/** What the model is told of a call that it may not make. */
export const deniedText = (because: string): string => `not permitted (${because}). Go on without it.`;

/** The answer of a person to a call, as it is recorded. What the model is told of a ruling says what to do next. */
export function personAnswer({ answer, access, approval }: GivenAnswer): Omit<PersonAnswer, 'callId'> {
  if (!approval) return { answer, ...(access ? { access } : {}) };
  const { granted, digest, reason, remembers, by } = approval;
  const permission = { granted, digest, ...(remembers ? { remembers: [...remembers] } : {}), ...(by ? { by } : {}) };
  if (granted) return { answer: ALLOWED, permission };
  const why = reason === undefined ? '' : `: ${reason}`;
  return { answer: `${sentence(`A person does not allow this call${why}`)} Go on without it.`, permission };
}

const ALLOWED = 'A person allows this call. It has not run yet: make exactly the same call again, and it runs.';
