import { endsAborting, keepsDeadline } from './abort-laws.ts';
import { timeIsThatOfWork } from './time-laws.ts';
import { countersGrow } from './counters.ts';
import { endsForGood, endsOnce } from './endings.ts';
import { answersTheAsked, owesWhatTheLogSays } from './intents.ts';
import type { Invariant } from './invariant.ts';
import { decidesToEnd, judgedAtRest } from './judgement-laws.ts';
import { lostIsNoSuccess, takesInterruptions } from './losses.ts';
import { remembersWhatWasSaid } from './context-fields.ts';
import { remembersJson } from './plain-memory.ts';
import { judgesItself } from './own-judge.ts';
import { readsNothingElse } from './purity.ts';
import { refusalsChangeNothing } from './refusals.ts';
import { foldsAsItLived, foldsFromSnapshot } from './same-replay.ts';
import { integratesByVerdict, succeedsByVerdict } from './verdicts-of-changes.ts';
import { reservesAreFreed, spendingIsConserved } from './spend-laws.ts';

/** The invariants of every run of every loop. */
export const invariants: readonly Invariant[] = [
  endsOnce,
  endsForGood,
  countersGrow,
  timeIsThatOfWork,
  remembersWhatWasSaid,
  readsNothingElse,
  keepsDeadline,
  endsAborting,
  takesInterruptions,
  lostIsNoSuccess,
  judgesItself,
  integratesByVerdict,
  succeedsByVerdict,
  judgedAtRest,
  decidesToEnd,
  answersTheAsked,
  spendingIsConserved,
  reservesAreFreed,
  refusalsChangeNothing,
  owesWhatTheLogSays,
  remembersJson,
  foldsAsItLived,
  foldsFromSnapshot,
];
