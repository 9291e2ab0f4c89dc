import type { EventOf, LoopEvent, Usage } from '../../../../machines/events.ts';
import type { Opinion } from '../../../../machines/outcome.ts';
import { findingToAsk, withOpinions } from '../../../judging/opinions.ts';
import type { JudgeMemory } from '../../../judging/judge-memory.ts';
import { judged, judgedSlowly } from '../../../judging/judgement.ts';
import type { Decision } from '../../../kernel/decision.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import { addedUsage, lessUsed } from '../../../actors/model/ask-within.ts';
import { NO_USAGE } from '../../../actors/model/model-answer.ts';
import { shareOf } from './ask-model.ts';
import { opinionOn } from './ask-opinion.ts';
import { repeatableExecution } from './execution.ts';
import type { Effect, EffectRequest } from '../effect.ts';
import type { EffectServices } from '../../../ports/services.ts';

type Asking = Pick<EffectServices, 'ask' | 'attendant' | 'strategyLimitMs'>;

async function* judgeSlowly(request: EffectRequest, call: EffectCall, services: Asking): AsyncIterable<LoopEvent> {
  const { context, memory, strategy } = request;
  const { signal } = call;
  const atOnce = judged(context, memory.judge, strategy);
  const waiting = { signal, limitMs: services.strategyLimitMs };
  const decision = atOnce
    ? await afterAsking(request, atOnce, call, services)
    : await judgedSlowly(context, memory.judge, strategy, waiting);
  if (decision && !(atOnce && signal.aborted)) yield decided(decision);
}

/** Asks about each finding that would end the run, one after the other, until one of them does. */
async function afterAsking(
  request: EffectRequest,
  first: Decision,
  call: EffectCall,
  services: Asking,
): Promise<Decision> {
  const { context, memory, strategy } = request;
  const opinions: Opinion[] = [];
  let used: Usage = NO_USAGE;
  let decision = first;
  for (;;) {
    const finding = findingToAsk(decision, memory.judge.findings, opinions);
    if (!finding) return withOpinions(decision, opinions, spentIn(used));
    const said = await opinionOn(finding, request, call, services, lessUsed(shareOf(request), used));
    used = addedUsage(used, said.usage);
    if (said.opinion) opinions.push(said.opinion);
    const again = said.opinion?.answer === 'go on' ? judged(context, memory.judge, strategy, opinions) : null;
    if (!again) return withOpinions(decision, opinions, spentIn(used));
    decision = again;
  }
}

const spentIn = (used: Usage): Usage | undefined => (used.inputTokens + used.outputTokens > 0 ? used : undefined);

const decided = (payload: Decision): EventOf<'decision.made'> => ({ type: 'decision.made', payload });

/**
 * Asks the loop's judge whether the run continues. A built-in strategy is pure, so the judge decides at once; a custom
 * strategy runs outside the transaction, and its answer counts only once it is recorded. So does the answer of a model
 * or a person who is asked before a detector ends the run.
 */
export const judge: Effect = {
  class: 'repeatable',
  interrupted: null,
  decide: (context, memory, { strategy, isAttended }) => {
    const decision = judged(context, memory as JudgeMemory, strategy);
    if (!decision) return null;
    const isAsked = context.settings.judge !== undefined || isAttended;
    return isAsked && findingToAsk(decision, memory.findings) ? null : decided(decision);
  },
  handler: (services) => ({
    execute: (request) => repeatableExecution((call) => judgeSlowly(request, call, services)),
  }),
};
