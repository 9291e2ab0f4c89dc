import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { OpenedPath } from '../../src/testing/paths.ts';
import * as has from '../support/facts.ts';
import { edit, fileEdited, fileKept, fileRevisited, fileWritten, ruled } from '../support/ralph-answers.ts';

const USAGE = { inputTokens: 900, outputTokens: 0, estimated: true } as const;
const HOUR_MS = 3_600_000;

const recording = [has.decidedToGoOn, has.iterationStarted(0)];
const attempting = [...recording, fileWritten];
const reading = [...attempting, has.attemptSettled()];

const held = { by: 'unknown', held: true } as const;
const stops = fileEdited(edit({ active: false }, { reason: 'enough' }));
const stopsAndIsHeld = fileEdited(edit({ active: false }, held));
const isHeld = fileEdited(edit({ maxIterations: 3 }, held));
/** The iteration that runs is the fifth, says a person: the maximum is passed. */
const leavesNone = edit({ iteration: 5 });
const isHeldAndLeavesNone = fileEdited({ ...leavesNone, ...held });
const awaiting = [...reading, isHeld];

const withdrawn: LoopEvent = { type: 'edit.withdrawn', payload: { reason: 'told to stop' } };
const lostAttempt: EventOf<'effect.interrupted'> = {
  type: 'effect.interrupted',
  payload: { actor: 'agent', reason: 'told to stop', usage: USAGE },
};
const raised: EventOf<'maximum.raised'> = {
  type: 'maximum.raised',
  payload: { from: 1, to: 2, because: 'more checks passed' },
};
const verified = [...reading, fileKept, has.workspaceCaptured(), has.checked(true)];

/** Ways of the Ralph loop on which an order of guards, or where an arrow leads, is seen to matter. */
export const furtherRalphWays: Readonly<Record<string, OpenedPath>> = {
  'an edit stops the loop before an attempt, at a maximum that may grow': growing(...recording, stops),
  'an edit leaves no iteration before an attempt, at a maximum that may grow': growing(
    ...recording,
    fileEdited(leavesNone),
  ),
  'a held edit that stops the loop needs no person': checked(...recording, stopsAndIsHeld),
  'a held edit that leaves no iteration waits for a person': checked(...recording, isHeldAndLeavesNone),
  'an allowed edit that leaves no iteration begins none': growing(
    ...recording,
    isHeldAndLeavesNone,
    ruled('edit.approved', 'edited'),
  ),
  'the file is read again once an edit is allowed that leaves no iteration': checked(
    ...reading,
    isHeldAndLeavesNone,
    ruled('edit.approved', 'edited'),
  ),
  'an edit stops the loop after an attempt': checked(...reading, stops),
  'an edit that leaves no iteration lets the work of the attempt be checked': checked(
    ...reading,
    fileEdited(leavesNone),
  ),
  'an edit is held after an attempt': checked(...awaiting),
  'the file is read again once an edit is allowed': checked(...awaiting, ruled('edit.approved', 'edited')),
  'the file is read again once an edit is denied': checked(...awaiting, ruled('edit.denied', 'edited')),
  'the file is read again where the question is lost': checked(...awaiting, withdrawn),
  'the file is read again after a resumption': checked(...awaiting, has.resumed(HOUR_MS), withdrawn),
  'the idle time of a pause in an attempt counts towards no limit': checked(
    ...attempting,
    has.paused,
    has.resumed(HOUR_MS),
  ),
  'an edit that a resumption finds counts at once': checked(
    ...attempting,
    has.resumed(),
    fileRevisited(edit({ maxIterations: 1 })),
  ),
  'an attempt is lost: what it used counts': checked(...attempting, lostAttempt),
  'an attempt is lost while the run is being aborted': checked(...attempting, has.abortRequested(), lostAttempt),
  'an attempt ends while it waits for a person': checked(...attempting, has.attemptAsked, has.attemptSettled()),
  'work that was checked is not checked again at a higher maximum': growing(...verified, raised),
  'a continuation asks the judge about work that was checked': checked(...verified, has.continued()),
};

function checked(...events: readonly LoopEvent[]): OpenedPath {
  return { opening: 'checked', events };
}

function growing(...events: readonly LoopEvent[]): OpenedPath {
  return { opening: 'a maximum that grows', events };
}
