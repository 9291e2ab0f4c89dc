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

const JUDGED = 'What an iteration comes to is proven over its judge, which those who look at mutants do not ask.';
const FAR_AWAY = 'No random walk records so many remarks; the search of every state does, and it looks at no mutants.';
const NO_USAGE = 'What interrupts it here has used nothing: costs are proven over drawn nights.';
const NOTHING_SET_ASIDE = 'Equivalent here: no opening of this loop sets tokens aside for its summary.';
const ONLY_ITS_OWN = 'Equivalent: only the effect itself answers with it, and that is pending.';

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
  // The improvement loop.
  'improvement@1: stream.discovering discovery.completed 0: without noteDiscoveries': JUDGED,
  'improvement@1: stream.discovering discovery.interrupted 0: without countUsage': NO_USAGE,
  'improvement@1: stream.discovering discovery.interrupted 0: without complete': PENDING_AGAIN,
  'improvement@1: stream.filtering filter.interrupted 0: without complete': PENDING_AGAIN,
  'improvement@1: tools.experimenting.planning batch.submitted 0: without its guard': FAR_AWAY,
  'improvement@1: tools.experimenting.planning plans.interrupted 0: to tools.experimenting.choosing': CHOSEN_AGAIN,
  'improvement@1: tools.experimenting.planning plans.interrupted 0: without complete': PENDING_AGAIN,
  'improvement@1: tools.experimenting.choosing always 2: to tools.experimenting.preparing':
    'Equivalent: `working` leads there at once: only what is built needs no worktree, and it has plans.',
  'improvement@1: tools.experimenting.admitting experiment.started 0: to tools.experimenting.planning':
    'Equivalent where two begin at once: there is no third one to admit, and plans are wanted.',
  'improvement@1: tools.experimenting.planning plans.interrupted 0: without countUsage': NO_USAGE,
  'improvement@1: tools.experimenting.working always 1: after the next': EXCLUSIVE,
  'improvement@1: tools.experimenting.working always 2: after the next': EXCLUSIVE,
  'improvement@1: tools.experimenting.working always 3: after the next': EXCLUSIVE,
  'improvement@1: tools.experimenting.preparing preparation.interrupted 0: to tools.experimenting.working':
    'Equivalent: `working` leads back to the same state at once.',
  'improvement@1: tools.experimenting.preparing preparation.interrupted 0: without complete': PENDING_AGAIN,
  'improvement@1: tools.experimenting.awaitingPerson always 0: after the next': 'Equivalent: both lead to `working`.',
  'improvement@1: verify.baseline effect.interrupted 0: without complete': PENDING_AGAIN,
  'improvement@1: verify.evaluating verification.completed 0: without its guard': FAR_AWAY,
  'improvement@1: verify.evaluating evaluation.interrupted 0: without complete': PENDING_AGAIN,
  'improvement@1: verify.evaluating evaluation.interrupted 0: without countUsage': NO_USAGE,
  'improvement@1: decide.judging decision.made 0: after the next': EXCLUSIVE,
  'improvement@1: decide.judging decision.made 2: after the next': EXCLUSIVE,
  'improvement@1: decide.integrating workspace.failed 0: without its guard': FAR_AWAY,
  'improvement@1: decide.integrating workspace.captured 0: without its guard': FAR_AWAY,
  'improvement@1: decide.integrating baseline.taken 0: without its guard': FAR_AWAY,
  'improvement@1: decide.integrating integration.failed 0: without noteMiss': JUDGED,
  'improvement@1: decide.integrating integration.interrupted 0: without countUsage': NO_USAGE,
  'improvement@1: decide.integrating integration.interrupted 0: without complete': PENDING_AGAIN,
  'improvement@1: decide.awaitingPerson integration.denied 0: without noteMiss': JUDGED,
  'improvement@1: decide.awaitingPerson approval.interrupted 0: without complete': PENDING_AGAIN,
  'improvement@1: decide.aborting timer.fired 0: to decide.aborting': GIVEN_UP,
  'improvement@1: decide.aborting timer.fired 0: after the next': EXCLUSIVE,
  'improvement@1: decide.aborting discovery.completed 0: without its guard': ONLY_ITS_OWN,
  'improvement@1: decide.aborting discovery.interrupted 0: without its guard': ONLY_ITS_OWN,
  'improvement@1: decide.aborting discovery.interrupted 0: without countUsage': NO_USAGE,
  'improvement@1: decide.aborting filter.interrupted 0: without countUsage': NO_USAGE,
  'improvement@1: decide.aborting plans.interrupted 0: without countUsage': NO_USAGE,
  'improvement@1: decide.aborting evaluation.interrupted 0: without countUsage': NO_USAGE,
  'improvement@1: decide.aborting integration.interrupted 0: without countUsage': NO_USAGE,
  'improvement@1: decide.ending.summarising summary.written 0: without complete': NOTHING_SET_ASIDE,
  'improvement@1: decide.ending.farewell strategy.ended 0: without noteFact': INERT,
  'improvement@1: decide.ending.ended always 0: after the next': EXCLUSIVE,
  'improvement@1: decide.ending.ended always 1: after the next': EXCLUSIVE,
  'improvement@1: decide.ending.ended always 2: after the next': EXCLUSIVE,
  'improvement@1: decide.ending.ended always 3: after the next': EXCLUSIVE,
};
