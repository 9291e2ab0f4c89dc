import type { Resumed } from '../../runtime/resume-run.ts';
import type { Extended, NotRaised, Refused } from '../../runtime/extend-run.ts';
import { notFoldedSentence } from '../../runtime/unfoldable.ts';
import { flagOf } from '../../options/option-table.ts';
import { endingName, plain, processOf } from '../../projections/phrases.ts';
import { Complaint, usage } from './complaint.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { shortId } from '../args/find-run.ts';
import { amountIn } from './limit-amount.ts';
import { LIMIT_OPTIONS, ofThread, raising, talking } from './next-commands.ts';
import type { LiveRun, WithLiveRun } from '../../app/running/live-runs.ts';

type Refusal = Refused | Exclude<Resumed | Extended, { kind: 'live' }>;

/** Why a run was not resumed or extended, and what to do instead. */
export function refusal(refused: Refusal, run: string): Complaint {
  const id = shortId(run);
  switch (refused.kind) {
    case 'unknown_run':
      return usage('RUN', 'the id of a run in this log', `'${run}'`, ['runs']);
    case 'unknown_machine':
      return new Complaint(refused.isChanged ? EXIT.usage : EXIT.log, notFoldedSentence(refused, run));
    case 'unreadable':
      return new Complaint(EXIT.log, notFoldedSentence(refused, run), ['events', id]);
    case 'not_migrated':
      return new Complaint(EXIT.usage, `run ${refused.run} stays with ${refused.machine}: ${refused.reason}`, [
        'resume',
        id,
      ]);
    case 'held':
      if (refused.because !== undefined) return notEnded(run, refused.because);
      return new Complaint(EXIT.held, `run ${run} is held by ${processOf(refused.by)}`, ['events', id, '--follow']);
    case 'over':
      return usage('RUN', 'a run that has not ended', endingName(refused.outcome), talking(run));
    case 'still_open':
      return usage('RUN', 'a run that has ended', 'one that is still open', ['resume', id]);
    case 'succeeded':
      return usage('RUN', 'a run that ended short of success', 'one that succeeded', talking(run));
    case 'is_child':
      return usage('RUN', 'a run of its own', `an attempt of run ${refused.root}`, ['extend', shortId(refused.root)]);
    case 'not_raised':
      return notRaised(refused, id);
  }
}

/** Only a person can find out whether it is at work still. */
const notEnded = (run: string, because: string): Complaint =>
  heldElsewhere(run, `it may be at work: ${because}. Make sure that it is not, then resume with --take-over`);

/** The process that holds a run may be at work where it cannot be seen. `reason`: a sentence about the run. */
export const heldElsewhere = (run: string, reason: string): Complaint =>
  new Complaint(EXIT.held, `run ${run}: ${plain(reason)}`, ['resume', shortId(run), '--take-over']);

/** A limit that would end the continuation at once. What is left of a thread is the limit of its newest run. */
function notRaised({ limit: reached, thread }: NotRaised, id: string): Complaint {
  const { name, used, limit, next } = reached;
  const message = ofThread(id, reached, thread);
  const before = message ? (thread?.nanoUsd ?? 0) : 0;
  const option = message ? 'threadMaxCost' : LIMIT_OPTIONS[name];
  const words = (amount: number) => `${name === 'cost_nano_usd' ? '$' : ''}${amountIn(name, amount)}`;
  const more = next === undefined ? '' : `, and about ${words(next)} for the next call`;
  const expected = `more than the ${words(before + used)} already used${more}`;
  const command = message ?? raising(id, [reached], null, { thread })[0] ?? ['show', id];
  return usage(`${option} (${flagOf(option)})`, expected, words(before + limit), command);
}

/** The live run of a result. Throws a `Complaint` where the run was not resumed or extended. */
export function liveOrRefused(result: WithLiveRun<Resumed> | WithLiveRun<Extended>, run: string): LiveRun {
  if (result.kind === 'live') return result.live;
  throw refusal(result, run);
}
