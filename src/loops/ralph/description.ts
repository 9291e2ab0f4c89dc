import type { AnyEvent, RalphEvent, Recorded } from '../../../machines/events.ts';
import type { StateEdit } from '../../../machines/ralph-facts.ts';
import type { Activity } from '../../kernel/effect-handlers.ts';
import { getLoopStatusMessage } from '../../ralph/loop-status.ts';
import { UNLIMITED } from '../../ralph/maximum.ts';
import { STATE_FILE } from '../../ralph/ralph-options.ts';
import { describedAttempts } from '../attempt-loop.ts';
import { GroundsQuestions } from '../grounds-questions.ts';
import { JoinedQuestions } from '../join-questions.ts';
import { changesOf, StateFileQuestions } from './state-file-questions.ts';

const REMARKABLE: ReadonlySet<string> = new Set([
  'state_file.edited',
  'state_file.damaged',
  'edit.approved',
  'edit.denied',
  'maximum.raised',
]);

/** How people read a Ralph loop. */
export const ralphDescription = {
  ...describedAttempts({ line: (event) => lineOf(event as Recorded<RalphEvent>) }),
  adds: (event: Recorded<AnyEvent>) => {
    const remark = REMARKABLE.has(event.type) ? lineOf(event as Recorded<RalphEvent>) : null;
    return remark === null ? {} : { remark };
  },
  questions: () => new JoinedQuestions([new StateFileQuestions(), new GroundsQuestions()]),
  remedy: (event: Recorded<AnyEvent>) => {
    const damage = damageIn(event as Recorded<RalphEvent>);
    return damage && `mend ${placeOf(damage)}, or remove it: ${damage.reason}`;
  },
  activity: ({ status, iteration, maxIterations, reason }: Activity) =>
    status === 'quiet'
      ? reason
      : getLoopStatusMessage(
          { iteration, maxIterations: maxIterations ?? UNLIMITED, deactivatedReason: reason },
          status,
        ),
};

function lineOf({ type, payload }: Recorded<RalphEvent>): string | null {
  switch (type) {
    case 'state_file.written':
      return payload.was === 'kept' ? `${STATE_FILE} is written` : `${STATE_FILE} was ${payload.was}, and is written`;
    case 'state_file.kept':
      return payload.isMissing ? `${STATE_FILE} is gone; it will be written again` : `${STATE_FILE} is as it was`;
    case 'state_file.edited':
      return editText(payload.edit);
    case 'state_file.revisited':
      if (payload.damage) return damageText(payload.damage);
      return payload.edit ? editText(payload.edit) : `${STATE_FILE} has no edit that counts before the attempt ends`;
    case 'state_file.noticed':
      return noticedText(payload.edit);
    case 'state_file.damaged':
      return damageText(payload);
    case 'state_file.interrupted':
      return `${STATE_FILE}: ${payload.reason}`;
    case 'state_file.superseded':
      return `${STATE_FILE} was edited too late: ${changesOf(payload.changes).join('; ')}`;
    case 'state_file.closed':
      return `${STATE_FILE} ${payload.digest === null ? 'was left as it is' : 'is inactive'}: ${payload.reason}`;
    case 'edit.approved':
      return `the edit of ${STATE_FILE} is approved${because(payload)}`;
    case 'edit.denied':
      return `the edit of ${STATE_FILE} is denied${because(payload)}`;
    case 'edit.withdrawn':
      return payload.reason;
    case 'maximum.raised':
      return `${payload.to} iterations in place of ${payload.from}: ${payload.because}`;
    case 'maximum.held':
      return `the maximum stays: ${payload.because}`;
    default:
      return null;
  }
}

/** An edit of other lines, or of the maximum where an option has set it. */
const NO_CHANGE = 'the run stays as it is (where --max-iterations was given, the file gives no more iterations)';

const because = ({ reason }: { readonly reason: string | null }): string => (reason === null ? '' : `: ${reason}`);

function editText({ changes, held, by, persons }: StateEdit): string {
  const what = changesOf(changes).join('; ') || NO_CHANGE;
  const editor = by === 'person' ? 'a person' : 'a person or the agent';
  const waits = held ? ' (waits for approval)' : '';
  if (by === 'unknown' || !held) return `${editor} has edited ${STATE_FILE}: ${what}${waits}`;
  const own = persons ? `: ${changesOf(persons).join('; ')}` : '';
  return `${editor} has edited ${STATE_FILE}${own}; from the edit before: ${what}${waits}`;
}

const noticedText = (edit: StateEdit | null): string =>
  edit
    ? `a person or the agent has edited ${STATE_FILE}: ${changesOf(edit.changes).join('; ')} (does not count yet)`
    : `a person or the agent has damaged ${STATE_FILE}`;

interface Damage {
  readonly line: number | null;
  readonly reason: string;
}

function damageIn({ type, payload }: Recorded<RalphEvent>): Damage | null {
  if (type === 'state_file.revisited') return payload.damage ?? null;
  return type === 'state_file.damaged' ? payload : null;
}

const placeOf = ({ line }: Damage): string => (line === null ? STATE_FILE : `${STATE_FILE}:${line}`);

const damageText = (damage: Damage): string =>
  `${placeOf(damage)}: ${damage.reason}. The run is paused: mend the file, or remove it, and resume the run`;
