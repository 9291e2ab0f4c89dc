import type { Approver } from '../../../machines/recorded-proof.ts';
import { localUser } from '../../app/people/local-user.ts';
import type { CommandResult } from '../../app/people/people-result.ts';
import type { Question } from '../../projections/questions.ts';
import type { DoorRuns } from '../doors/door-runs.ts';
import { questionData } from '../doors/run-status-data.ts';
import { Complaint } from '../pages/complaint.ts';
import { EXIT } from '../terminal/exit-status.ts';

/** The user of the client: what its form says may be anyone's word. */
export const personAtForm = async (door: DoorRuns): Promise<Approver> => ({
  ...(await localUser(door.session.directory)),
  door: 'form',
});

/** The commands that a person types, where their client cannot ask them. */
export function toType(door: DoorRuns, run: string, question: Question, open: readonly Question[]): Complaint {
  const { text, commands } = questionData(door.session, run, question, open);
  const says = 'This client cannot ask a person. Show them this, and one of the commands, which they type themselves:';
  return new Complaint(EXIT.waiting, [says, text, ...commands].join('\n'));
}

/** The sentence that says why an answer was not taken, with the commands of a person where one has to rule. */
export function notTaken(door: DoorRuns, run: string, refused: Exclude<CommandResult, { kind: 'received' }>): string {
  if (refused.kind === 'unknown_run') return `there is no run ${refused.run}`;
  const { message, open, question } = refused;
  const rulings = open.filter(({ kind, callId }) => kind !== 'question' && (!question || question.callId === callId));
  return rulings.length === 0 ? message : ofPerson(door, run, rulings, open, `${message}. That`);
}

/** What a client is told that answers in place of a person. */
export function ofPerson(
  door: DoorRuns,
  run: string,
  asked: readonly Question[],
  open: readonly Question[],
  what = 'The answer to a server',
): string {
  const commands = asked.flatMap((one) => questionData(door.session, run, one, open).commands);
  return [`${what} is a person's: call ask_person, or show them the command:`, ...commands].join('\n');
}
