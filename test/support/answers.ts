import type { EventOf, LoopEvent } from '../../machines/events.ts';
import { Ending } from '../../machines/outcome.ts';
import type { Outstanding } from '../../src/runtime/fold.ts';
import * as has from './facts.ts';

/** So often, for each time a run is ended in one of the five ways, it goes on: long runs see more. */
const GO_ON = 40;

type Asked = Pick<Outstanding, 'actor' | 'key' | 'input'>;

/** What the world may answer to an effect. Each is its last word. */
export function answersTo({ actor, key, input }: Asked, step: number): readonly LoopEvent[] {
  const callId = input['callId'] ?? '';
  switch (actor) {
    case 'judge':
      return [...Array.from({ length: GO_ON }, () => has.decidedToGoOn), ...Ending.options.map(has.decidedToEnd)];
    case 'streamModel':
      return modelAnswers(step);
    case 'admitCalls':
      return admissions(step);
    case 'runTool':
      return [has.toolCompleted(callId), has.toolFinished(callId), has.toolFailed(callId), has.toolInterrupted(callId)];
    case 'askPerson':
      return [has.personAnswered(callId), has.toolInterrupted(callId)];
    case 'captureWorkspace':
      return [has.workspaceCaptured(), has.workspaceCaptured(null), has.workspaceFailed, has.interrupted('capture')];
    case 'verifyWork':
      return [has.checked(true), has.checked(false), has.interrupted('checks')];
    case 'runAgent':
      if (callId !== '') {
        return [...Ending.options.map((ending) => has.handedBack(callId, has.outcomeOf(ending))), has.toolFailed(callId), has.toolInterrupted(callId)];
      }
      return [...Ending.options.map(has.outcomeOf).map(has.attemptSettled), has.interrupted('agent')];
    case 'summarise':
      return key === 'summary' ? [has.summaryWritten] : [has.contextCompacted, has.interrupted('compaction')];
    case 'endStrategy':
      return [has.strategyEnded];
    case 'timer':
      return [has.timerFired(input['timer'] as EventOf<'timer.fired'>['payload']['timer'])];
    default:
      throw new Error(`no test knows the actor ${actor}`);
  }
}

const modelAnswers = (step: number): readonly LoopEvent[] => [
  has.modelAskedFor(`${step}.0`),
  has.modelAskedFor(`${step}.0`, `${step}.1`, `${step}.2`),
  has.modelAnswered,
  has.modelFailed,
  has.modelInterrupted,
  has.modelLimited(),
  has.contextFilled,
];

const admissions = (step: number): readonly LoopEvent[] => [
  has.callsAdmitted(`${step}.0`),
  has.callsAdmitted(`${step}.0`, `${step}.1`, `${step}.2`),
  has.callsAdmitted(`${step}.0`, `${step}.1?`, `${step}.2?`),
  has.callsAdmitted(`${step}.0?`),
  has.callsAdmitted(`${step}.0>`),
  has.callsAdmitted(`${step}.0>`, `${step}.1`, `${step}.2>`),
  has.callsRefused(`${step}.0`),
];

/** What may be said about a run at any time, by somebody who waits for nothing. */
export const remarks: readonly LoopEvent[] = [
  has.warned,
  has.paused,
  has.resumed(),
  has.resumed(3_600_000),
  has.modelRetried,
  has.steered,
  has.attemptAsked,
  has.attemptAnswered,
];

/** What ends a run early, or sets it going again. */
export const interventions: readonly LoopEvent[] = [
  has.abortRequested(),
  has.abortRequested('error', 'an actor broke its promise'),
  has.timerFired('deadline'),
  has.continued({ maxSteps: 40 }, 1000),
];
