const EXCLUSIVE = 'Equivalent: no event and no state lets both guards hold, so their order does not matter.';
const PENDING_AGAIN =
  'Equivalent: an effect that starts again is pending again at once, and nothing is reserved for it.';
const INERT = 'Equivalent: the action does nothing. It says that the event is taken on purpose.';
const GIVEN_UP = 'Equivalent: nothing is pending any more, so `aborting` is left for `judging` at once.';
const CHOSEN_AGAIN = 'Equivalent: what was chosen before is chosen again.';
const BACK_AT_ONCE = 'Equivalent: `returning` leads back to the same state at once.';
const SENT_ON = 'Equivalent: `verify` sends an attempt that has not succeeded on to `decide`.';
const ALWAYS_PENDING = 'Equivalent: the file is pending wherever the state is.';
const NO_EDIT = 'Equivalent: where the event carries no edit, `judgingEdit` leads to `recording` as `returning` does.';

/** Mutants that no check catches, and why not. Kept exact by `npm run mutate`. */
export const survivors: Readonly<Record<string, string>> = {
  // Targets that are changed.
  'turn@1: decide.aborting timer.fired 0: to decide.aborting': GIVEN_UP,
  'iteration@1: decide.aborting timer.fired 0: to decide.aborting': GIVEN_UP,
  'iteration@1: stream child.settled 0: to verify':
    'Equivalent: an attempt that was aborted has not succeeded, and `verify` sends it on to `decide`.',
  'iteration@1: verify.checking effect.interrupted 0: to verify.choosing':
    'Equivalent: what was chosen before is chosen again.',
  // Smaller edits.
  'turn@1: verify.baseline effect.interrupted 0: without complete': PENDING_AGAIN,
  'turn@1: decide.judging decision.made 1: after the next': EXCLUSIVE,
  'turn@1: decide.aborting timer.fired 0: after the next': EXCLUSIVE,
  'turn@1: decide.ending.ended always 0: after the next': EXCLUSIVE,
  'turn@1: decide.ending.ended always 1: after the next': EXCLUSIVE,
  'turn@1: decide.ending.ended always 2: after the next': EXCLUSIVE,
  'turn@1: decide.ending.ended always 3: after the next': EXCLUSIVE,
  'turn@1: tools.running always 1: after the next': EXCLUSIVE,
  'turn@1: tools.awaitingPerson always 1: after the next':
    'Equivalent: by way of `running`, which is left at once when nothing is pending.',
  'turn@1: tools.awaitingPerson always 1: dropped':
    'Equivalent: by way of `running`, which is left at once when nothing is pending.',
  'turn@1: stream.asking model.interrupted 1: without complete': PENDING_AGAIN,
  'turn@1: stream.compacting effect.interrupted 0: without complete': PENDING_AGAIN,
  'turn@1: verify.capturing effect.interrupted 0: without complete': PENDING_AGAIN,
  'turn@1: verify.checking effect.interrupted 0: without complete': PENDING_AGAIN,
  'turn@1: verify.disputed effect.interrupted 0: without complete': PENDING_AGAIN,
  'turn@1: decide.ending.farewell strategy.ended 0: without noteFact': INERT,
  'iteration@1: verify.baseline effect.interrupted 0: without complete': PENDING_AGAIN,
  'iteration@1: verify.baseline baseline.taken 0: to verify': SENT_ON,
  'iteration@1: decide.judging decision.made 1: after the next': EXCLUSIVE,
  'iteration@1: decide.aborting timer.fired 0: after the next': EXCLUSIVE,
  'iteration@1: decide.ending.ended always 0: after the next': EXCLUSIVE,
  'iteration@1: decide.ending.ended always 1: after the next': EXCLUSIVE,
  'iteration@1: decide.ending.ended always 2: after the next': EXCLUSIVE,
  'iteration@1: decide.ending.ended always 3: after the next': EXCLUSIVE,
  'iteration@1: tools effect.interrupted 0: without complete': PENDING_AGAIN,
  'iteration@1: verify.checking effect.interrupted 0: without complete': PENDING_AGAIN,
  'iteration@1: verify.disputed grounds.approved 0: to verify.choosing': CHOSEN_AGAIN,
  'iteration@1: verify.disputed grounds.denied 0: to verify.choosing': CHOSEN_AGAIN,
  'iteration@1: verify.disputed effect.interrupted 0: without complete': PENDING_AGAIN,
  'iteration@1: decide.ending.farewell strategy.ended 0: without noteFact': INERT,
  // The Ralph loop.
  'ralph@1: stream.recording state_file.interrupted 0: without its guard': ALWAYS_PENDING,
  'ralph@1: stream.recording state_file.interrupted 0: to stream.returning': BACK_AT_ONCE,
  'ralph@1: stream.recording state_file.interrupted 0: to stream.judgingEdit': NO_EDIT,
  'ralph@1: stream.recording state_file.interrupted 0: without complete': PENDING_AGAIN,
  'ralph@1: stream.attempting child.settled 0: to verify': SENT_ON,
  'ralph@1: stream.attempting child.settled 1: to stream.returning': BACK_AT_ONCE,
  'ralph@1: stream.attempting effect.interrupted 0: to stream.returning': BACK_AT_ONCE,
  'ralph@1: stream.reading state_file.interrupted 0: to stream.returning': BACK_AT_ONCE,
  'ralph@1: stream.reading state_file.interrupted 0: without its guard': ALWAYS_PENDING,
  'ralph@1: stream.reading state_file.interrupted 0: without complete': PENDING_AGAIN,
  'ralph@1: stream.judgingEdit always 4: to stream.returning': BACK_AT_ONCE,
  'ralph@1: stream.returning always 2: to stream.judgingEdit': NO_EDIT,
  'ralph@1: tools effect.interrupted 0: without complete': PENDING_AGAIN,
  'ralph@1: verify.checking effect.interrupted 0: to verify.choosing': CHOSEN_AGAIN,
  'ralph@1: verify.checking effect.interrupted 0: without complete': PENDING_AGAIN,
  'ralph@1: verify.disputed grounds.approved 0: to verify.choosing': CHOSEN_AGAIN,
  'ralph@1: verify.disputed grounds.denied 0: to verify.choosing': CHOSEN_AGAIN,
  'ralph@1: verify.disputed effect.interrupted 0: without complete': PENDING_AGAIN,
  'ralph@1: verify.weighing maximum.held 0: without noteFact': INERT,
  'ralph@1: verify.baseline effect.interrupted 0: without complete': PENDING_AGAIN,
  'ralph@1: verify.baseline baseline.taken 0: to verify': SENT_ON,
  'ralph@1: decide.judging decision.made 1: after the next': EXCLUSIVE,
  'ralph@1: decide.aborting timer.fired 0: to decide.aborting': GIVEN_UP,
  'ralph@1: decide.aborting timer.fired 0: after the next': EXCLUSIVE,
  'ralph@1: decide.ending.farewell.closing state_file.closed 0: without noteFact': INERT,
  'ralph@1: decide.ending.farewell.telling strategy.ended 0: without noteFact': INERT,
  'ralph@1: decide.ending.ended always 0: after the next': EXCLUSIVE,
  'ralph@1: decide.ending.ended always 1: after the next': EXCLUSIVE,
  'ralph@1: decide.ending.ended always 2: after the next': EXCLUSIVE,
  'ralph@1: decide.ending.ended always 3: after the next': EXCLUSIVE,
};
