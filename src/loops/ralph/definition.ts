import type { AnyEvent, Recorded } from '../../../machines/events.ts';
import { ralphEntry } from '../../../machines/index.ts';
import type { RalphContext } from '../../../machines/ralph.machine.ts';
import { mostIterations, shownNumbers } from '../../../machines/ralph-numbers.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Activity } from '../../kernel/activity.ts';
import type { Evidence } from '../../kernel/evidence.ts';
import type { GivenAnswer, LoopDefinition } from '../../kernel/loop-definition.ts';
import { RalphLoopOptions } from '../../ralph/ralph-options.ts';
import { attemptActivity } from '../attempt-activity.ts';
import { attemptBounds, attemptRounds, reserveForAttempt, setAsideForAttempt } from '../attempt-loop.ts';
import { ralphDescription } from './description.ts';
import { ralphEffects } from './effects.ts';
import { judgeRalph } from './judge.ts';
import { RalphMemory } from './memory.ts';
import { asFileSays } from './progress.ts';
import { ralphRanking } from './ranking.ts';

const NOT_THAT_EDIT = 'no edit of the state file with that content waits for a person';

/** Whole attempts with one task and a state file that people edit, until the work is declared done and proven. */
export const ralphLoop: LoopDefinition = {
  ...ralphEntry,
  rounds: {
    ...attemptRounds,
    most: (context: RalphContext) => mostIterations(context),
    shown: (context: RalphContext) => shownNumbers(context),
  },
  effects: ralphEffects,
  judge: judgeRalph,
  strategyInput: ({ context, memory, at }: Evidence<RalphContext, RalphMemory>) =>
    memory.complete(asFileSays(context), at),
  remember: (run, settings) => new RalphMemory(run, settings),
  reserve: reserveForAttempt,
  setsAside: setAsideForAttempt,
  settings: { ...attemptBounds, options: RalphLoopOptions },
  commands: { 'edit.approved': () => NOT_THAT_EDIT, 'edit.denied': () => NOT_THAT_EDIT },
  answered,
  activity: (fact, context, settings) => inNumbersOfFile(fact, context as RalphContext, settings),
  ranking: ralphRanking,
  describe: ralphDescription,
};

/** What people are told has the numbers of the file, which they may have changed. */
function inNumbersOfFile(fact: Recorded<AnyEvent>, context: RalphContext, settings: RunSettings): Activity | null {
  const activity = attemptActivity(fact, asFileSays(context), settings);
  if (!activity || activity.iteration === 0) return activity;
  const { maximum } = shownNumbers(context);
  return { ...activity, iteration: Math.max(1, activity.iteration + context.file.ahead), maxIterations: maximum };
}

/** A person's ruling on an edit, bound to its content. Anything else answers nothing. */
function answered(_callId: string, { approval }: GivenAnswer) {
  const { granted = false, digest = '', reason = null } = approval ?? {};
  return { type: granted ? 'edit.approved' : 'edit.denied', payload: { digest, reason } };
}
