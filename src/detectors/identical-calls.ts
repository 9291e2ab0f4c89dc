import { z } from 'zod';
import type { ToolCall } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import { head } from '../text/excerpt.ts';
import { whole } from '../strategies/numbers.ts';
import { type CallStreak, lengthened, NO_STREAK } from './call-streak.ts';
import { type Detector, eventId, type Logged, type Noticed } from './detector.ts';
import { ANSWERS } from './answer-by-answer.ts';
import { detectorKind } from './detector-kind.ts';
import { identicalResults } from './identical-results.ts';
import { callText, repetitionOf } from './signature.ts';
import { noTraits, type TraitsOf } from './traits.ts';
import { isFreshStart } from './fresh-start.ts';

const MAX_CALL_CHARS = 200;

/** Equal calls in a row that end a turn, if not configured. */
const DEFAULT_THRESHOLD = 3;
/** Equal calls in a row, each with another result, that end a turn all the same. */
const DEFAULT_CHANGING = 10;

/**
 * D0: the last calls of a turn are identical, whatever they bring.
 *
 * Calls count as the model asked for them, in that order, refused ones included: to repeat a refused call is a
 * repetition too, and the order in which parallel calls end means nothing. An answer without calls changes nothing; a
 * call that is exempt or polls equals no other.
 *
 * @example
 * const detector = identicalCalls();
 * const { state, finding } = detector.step(detector.init(), event);
 */
export function identicalCalls(threshold = DEFAULT_THRESHOLD, traits: TraitsOf = noTraits): Detector<CallStreak> {
  if (!Number.isInteger(threshold) || threshold < 2) {
    throw new RangeError(`threshold: expected a whole number, 2 or more; got ${threshold}`);
  }
  return {
    name: 'identical-calls',
    sees: ANSWERS,
    init: () => NO_STREAK,
    step: (state, event) => {
      if (isFreshStart(event)) return { state: NO_STREAK };
      return event.type === 'model.completed' ? afterCalls(state, event, threshold, traits) : { state };
    },
  };
}

function afterCalls(
  before: CallStreak,
  event: Logged<'model.completed'>,
  threshold: number,
  traits: TraitsOf,
): Noticed<CallStreak> {
  const last = event.payload.calls.at(-1);
  if (!last) return { state: before };
  const id = eventId(event);
  let state = before;
  for (const call of event.payload.calls)
    state = lengthened(state, repetitionOf(call, traits(call.tool)), id, threshold);
  return state.count < threshold ? { state } : { state, finding: findingOf(state, last) };
}

const findingOf = ({ count, evidence }: CallStreak, call: ToolCall): Finding => ({
  detector: 'identical-calls',
  level: 'stop',
  count,
  message: `the same call ${count} times: ${head(callText(call), MAX_CALL_CHARS)}`,
  evidence: [...evidence],
});

/** Whether results count: `ignore` looks at calls alone. A choice of before results counted says nothing of them. */
export const IdenticalResults = z.enum(['count', 'ignore'], { error: 'count or ignore' });
export type IdenticalResults = z.infer<typeof IdenticalResults>;

export const identicalCallsKind = detectorKind({
  name: 'identical-calls',
  row: 'D0',
  notices: 'the last calls of a turn are the same; where results count, as long as these do not change',
  config: z.strictObject({
    threshold: whole(2, 'calls').default(DEFAULT_THRESHOLD),
    changing: whole(2, 'calls').default(DEFAULT_CHANGING),
    results: IdenticalResults.default('ignore'),
  }),
  inEveryRun: true,
  inDefault: true,
  countsCalls: true,
  create: ({ results, ...numbers }, traits) =>
    results === 'count' ? identicalResults(numbers, traits) : identicalCalls(numbers.threshold, traits),
});
