import { ralphEntry } from '../../../machines/index.ts';
import type { RalphContext } from '../../../machines/ralph.machine.ts';
import { mostIterations, shownNumbers } from '../../../machines/ralph-numbers.ts';
import type { Evidence } from '../../kernel/decision.ts';
import type { GivenAnswer, LoopDefinition } from '../../kernel/loop-definition.ts';
import { RalphLoopOptions } from '../../ralph/ralph-options.ts';
import { attemptBounds, attemptRounds, reserveForAttempt, setAsideForAttempt } from '../attempt-loop.ts';
import { groundsCommands, groundsRuling } from '../grounds-questions.ts';
import { ralphDescription } from './description.ts';
import { ralphActivity, asFileSays } from './progress.ts';
import { ralphEffects } from './effects.ts';
import { judgeRalph } from './judge.ts';
import { RalphMemory } from './memory.ts';
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
  commands: { ...groundsCommands, 'edit.approved': () => NOT_THAT_EDIT, 'edit.denied': () => NOT_THAT_EDIT },
  answered,
  activity: (fact, context, settings) => ralphActivity(fact, context as RalphContext, settings),
  ranking: ralphRanking,
  describe: ralphDescription,
};

/** A person's ruling on an edit, bound to its content. Anything else answers nothing. */
function answered(callId: string, given: GivenAnswer) {
  const ruling = groundsRuling(callId, given);
  if (ruling) return ruling;
  const { approval } = given;
  const { granted = false, digest = '', reason = null } = approval ?? {};
  return { type: granted ? 'edit.approved' : 'edit.denied', payload: { digest, reason } };
}
