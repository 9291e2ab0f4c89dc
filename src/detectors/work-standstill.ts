import { z } from 'zod';
import { whole } from '../strategies/numbers.ts';
import type { Detector, Noticed } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { CALLS } from './step-by-step.ts';
import { isFreshStart } from './fresh-start.ts';
import { NO_OUTCOMES, type Outcomes, withOutcome } from './outcomes.ts';
import { type Awaiting, NOTHING_AWAITED, paired } from './call-pairing.ts';
import { begunAnew, noticedAt } from './notice.ts';
import { NO_PLANNING, type Planning, plannedLonger } from './plan-row.ts';
import { withRefusal } from './refusal.ts';
import { risingRungs, rungAt, rungsOf } from './rungs.ts';
import { strongest } from './strongest.ts';
import { noTraits, type TraitsOf } from './traits.ts';

export interface Standstill {
  readonly awaiting: Awaiting;
  readonly outcomes: Outcomes;
  readonly planning: Planning;
}

const CONFIG = z
  .strictObject({
    ...rungsOf('results', { nudge: 8, stop: 16 }),
    /** Steps and tokens without a change, of which both have to be used. */
    nudgeSteps: whole(2, 'steps').default(25),
    nudgeTokens: whole(1, 'tokens').default(100_000),
    stopSteps: whole(2, 'steps').default(40),
    stopTokens: whole(1, 'tokens').default(200_000),
  })
  .superRefine(risingRungs)
  .refine(({ nudgeSteps, stopSteps }) => nudgeSteps < stopSteps, {
    path: ['nudgeSteps'],
    error: 'less than `stopSteps`',
  });
type Config = z.output<typeof CONFIG>;

/**
 * D18: the work goes on, and what comes of it stays the same. The same tests are red and the same errors come back,
 * whatever is edited between; or nothing is changed at all for many steps and tokens, in a run whose work is checked.
 * A red test that turns green, another error, and fewer of them are progress.
 */
export function standstill(config: Config = CONFIG.parse({}), traits: TraitsOf = noTraits): Detector<Standstill> {
  return {
    name: 'standstill',
    sees: new Set([...CALLS, 'run.started']),
    init: () => ({ awaiting: NOTHING_AWAITED, outcomes: NO_OUTCOMES, planning: NO_PLANNING }),
    step: (before, event): Noticed<Standstill> => {
      if (isFreshStart(event))
        return {
          state: { ...before, outcomes: NO_OUTCOMES, planning: { ...NO_PLANNING, isAsked: before.planning.isAsked } },
        };
      const { awaiting, observed, step } = paired(before.awaiting, event, traits);
      const outcomes = step ? withOutcome(before.outcomes, observed) : before.outcomes;
      const planning = plannedLonger(before.planning, event, observed);
      const { finding, refusal } = sameOutcome(outcomes, before.outcomes, config);
      const plans = onlyPlans(planning, before.planning, config);
      const findings = [finding, plans.finding].filter((one) => one !== undefined);
      const isSame = outcomes === before.outcomes && planning === before.planning && awaiting === before.awaiting;
      const state = isSame ? before : { awaiting, outcomes, planning };
      return { state, ...(refusal === undefined ? {} : { refusal }), ...strongest(findings) };
    },
  };
}

function sameOutcome({ count, evidence, actions }: Outcomes, before: Outcomes, config: Config) {
  const rung = rungAt(count, before.count, config);
  if (rung === null) return begunAnew(count, before.count);
  const what = 'red in ways that were seen before: nothing that was done has changed them';
  const message = `${count} results in a row were ${what}`;
  return noticedAt(rung, { detector: 'standstill', count, message, evidence }, { actions });
}

function onlyPlans(now: Planning, before: Planning, config: Config) {
  const { isAsked, steps, tokens, evidence } = now;
  const meets = (one: Planning, mostSteps: number, mostTokens: number) =>
    one.steps >= mostSteps && one.tokens >= mostTokens;
  const isStop = meets(now, config.stopSteps, config.stopTokens) && steps > before.steps;
  const isNudge =
    meets(now, config.nudgeSteps, config.nudgeTokens) && !meets(before, config.nudgeSteps, config.nudgeTokens);
  if (!isAsked || (!isStop && !isNudge)) return {};
  const message = `${steps} steps and ${tokens} tokens without a change of any file, though the work is checked`;
  return noticedAt(isStop ? 'stop' : 'nudge', { detector: 'standstill', count: steps, message, evidence }, {});
}

export const standstillKind = detectorKind({
  name: 'standstill',
  row: 'D18',
  notices: 'the same tests stay red or the same errors come back, whatever is done; or nothing is changed at all',
  config: CONFIG,
  inDefault: true,
  countsCalls: true,
  climbs: true,
  create: (config, traits) => withRefusal(standstill(config, traits), traits),
});
