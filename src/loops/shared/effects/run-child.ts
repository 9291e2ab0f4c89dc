import type { AnyEvent, EventOf, Share } from '../../../../machines/events.ts';
import type { Life } from '../../../../machines/life.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import { Delegation } from '../../../actors/tools/delegate.ts';
import { least, leftFor } from '../../../budget/allowance.ts';
import type { Execution } from '../../../kernel/effect-handlers.ts';
import type { Interruption } from '../../../kernel/effect-spec.ts';
import { lifeOf, type Outstanding } from '../../../kernel/fold.ts';
import { specOf } from '../../../kernel/loop-definition.ts';
import { attemptSettings } from '../../attempt-settings.ts';
import { type AgentSources, delegatedSettings } from './run-of-delegate.ts';
import { type AttemptSources, lastAttempt } from './last-attempt.ts';
import type { Effect, EffectRequest, EffectWork } from '../effect.ts';
import { requestedCall } from '../../turn/memory.ts';
import { type HistorySources, withHistory } from './with-history.ts';

type ChildSources = AgentSources & AttemptSources & HistorySources;

/** Says what a child run is to do: a round of the loop, or work that the model has delegated by a call. */
export const runChild = (sources: ChildSources): EffectWork => ({
  execute: (request) => {
    const { effect, memory } = request;
    const { callId, lane } = effect.input;
    if (callId !== undefined && !specOf(effect, memory.loop).opens) return delegatedRun(request, callId, sources);
    return {
      kind: 'child',
      callId: callId ?? null,
      ...(lane === undefined ? {} : { lane }),
      notStarted: null,
      settings: async () => {
        const settings = roundSettings(request, await lastAttempt(request, sources));
        return { kind: 'settings', settings: await withHistory(settings, request, sources) };
      },
    };
  },
});

/** The settings of the child that does one round: a run of whatever loop the definition names. */
function roundSettings({ effect, context: { run, state }, memory }: EffectRequest, before: string | null): RunSettings {
  const life = lifeOf(state);
  const { limits } = life;
  const { lane } = effect.input;
  const { settings, steering, remade, loop } = memory;
  const said = [before, memory.feedback].filter((text) => text !== null);
  const opens = specOf(effect, loop).opens ?? attemptSettings;
  return opens({
    settings,
    run,
    limits,
    feedback: said.length === 0 ? null : said.join('\n\n'),
    steering,
    remade,
    memory: memory.judge.own,
    attemptLimits: settings.attemptLimits ?? limits,
    share: shareOf(life, effect),
    ...(lane === undefined ? {} : { lane }),
    effect: `${run}/${effect.effect}`,
    iteration: Math.max(0, loop.rounds.count(life) - 1),
  });
}

/** All that is left; but one of several children at once has its reservation, however much the others leave over. */
function shareOf(life: Life, { key, input }: Outstanding): Share {
  const left = leftFor(life, key);
  const own = input['lane'] === undefined ? undefined : life.reserved[key];
  return own ? { tokens: least(own.tokens, left.tokens), nanoUsd: least(own.nanoUsd, left.nanoUsd) } : left;
}

function delegatedRun(
  { effect, context: { run }, memory }: EffectRequest,
  callId: string,
  sources: AgentSources,
): Execution {
  const call = requestedCall(memory, callId);
  const share = memory.shares.get(callId);
  if (!call || !share) throw new Error(`${run}: call ${callId} delegates no work`);
  const work = {
    settings: memory.settings,
    run,
    callId,
    share,
    effect: `${run}/${effect.effect}`,
    delegation: Delegation.parse(call.arguments),
  };
  return {
    kind: 'child',
    callId,
    notStarted: notStarted(callId),
    settings: (asked) => delegatedSettings(work, sources, asked),
  };
}

const notStarted = (callId: string): EventOf<'tool.failed'> => ({
  type: 'tool.failed',
  payload: { callId, fault: { code: 'not_started', message: 'not run: the work was stopped before it started' } },
});

/**
 * The effect that runs an attempt: a turn with the task and the feedback on the last attempt. The whole reservation of
 * a lost attempt counts as used.
 */
export const attempt: Effect = {
  class: 'child',
  interrupted: attemptInterrupted,
  opens: attemptSettings,
  handler: runChild,
};

function attemptInterrupted({ key, input: { lane } }: Outstanding, { reason, kept }: Interruption): AnyEvent {
  const which = lane === undefined ? { actor: key } : { actor: 'agent', lane };
  return { type: 'effect.interrupted', payload: { ...which, reason, ...(kept ? { usage: kept } : {}) } };
}
