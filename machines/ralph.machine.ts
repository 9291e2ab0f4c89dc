// The Ralph loop: whole attempts with the same task, until the work is declared done and proven, or a limit says stop.
//
// What it adds to a loop of attempts is a file that people read and edit. `stream` writes it before each attempt and
// reads it after; an edit is an event, and changes the run from there. What would give the loop more than it has, and
// may come from its agent, waits for a person, and so does a file that cannot be read. `verify` may raise the maximum.
// `decide.ending` closes the file. The numbers in the file are those for people: `iterations` only grows, and a changed
// `iteration` moves the maximum instead; the ceiling bounds all.
//
// Over 300 lines because editors of charts read only literals: what all loops share is written in each, and generated.
import { type AnyEventObject, assign, enqueueActions, fromCallback, setup, stopChild } from 'xstate';
import type { RalphEvent, Recorded } from './events.ts';
import * as life from './life.ts';
import { addSpend, isUnanswered } from './outcome.ts';
import * as file from './ralph-numbers.ts';

export interface RalphContext extends life.Life, file.Numbers {
  /** Iterations started. */
  readonly iterations: number;
  /** How the newest attempt ended. Only a successful one is verified. */
  readonly attempt: { readonly version: number; readonly succeeded: boolean } | null;
  /** An edit that waits for a person. */
  readonly edit: file.HeldEdit | null;
  /** The file says that the loop is to stop. */
  readonly stopped: file.StoppedByFile | null;
  /** The file is being read in the middle of an attempt. */
  readonly isGlancing: boolean;
  readonly pausedAt: string | null;
  /** The newest time in which nothing of the run was at work: whatever changed then, people have changed. */
  readonly idle: { readonly from: string; readonly to: string } | null;
  /** What an attempt or a pause has left at work last: until it has ended, not every change is one by people. */
  readonly leftAtWork: file.LeftAtWork | null;
}

/** A name for an effect that the host executes. Its results are events; folding never runs it. */
const external = fromCallback<AnyEventObject, { readonly [reference: string]: string } | undefined>(() => {});

export const ralph = setup({
  types: {
    context: {} as RalphContext,
    events: {} as Recorded<RalphEvent>,
    input: {} as life.Opening | undefined,
  },
  actors: {
    runAgent: external,
    writeStateFile: external,
    readStateFile: external,
    closeStateFile: external,
    askPerson: external,
    weighMaximum: external,
    captureWorkspace: external,
    takeBaseline: external,
    verifyWork: external,
    askAboutGrounds: external,
    judge: external,
    endStrategy: external,
    summarise: external,
    timer: external,
  },
  guards: {
    goesOn: ({ context, event }) =>
      life.goesOn({ context, event }) &&
      context.iterations < life.mostRounds(file.mostIterations(context), context.limits),
    needsBaseline: life.needsBaseline,
    ends: life.ends,
    mayWarn: life.mayWarn,
    isPending: life.isPending,
    isUndecided: life.isUndecided,
    isDisputed: life.isDisputed,
    isThatDispute: life.isThatDispute,
    isWaiting: life.isWaiting,
    isWorking: ({ context }) => !life.isWaiting({ context }),
    nothingPending: life.nothingPending,
    attemptToVerify: ({ context }) => context.attempt?.succeeded === true && (context.hasChecks || context.hasCi),
    attemptAborted: ({ context, event }) =>
      life.isPending({ context, event }) &&
      event.type === 'child.settled' &&
      event.payload.outcome.ending === 'abort' &&
      !isUnanswered(event.payload.outcome),
    isNextIteration: ({ context, event }) =>
      context.isBeginning && event.type === 'iteration.started' && event.payload.iteration === context.iterations,
    hasAttempted: ({ context }) => context.attempt !== null,
    stopsLoop: ({ event }) => file.editIn(event)?.changes.active === false,
    stopsAttempt: ({ context, event }) => context.isGlancing && file.editIn(event)?.changes.active === false,
    isGlancing: ({ context }) => context.isGlancing,
    isHeld: ({ event }) => file.editIn(event)?.held === true,
    isOver: ({ context, event }) => context.iterations > file.boundAfter(context, event),
    isThatEdit: ({ context, event }) => life.isAsked({ context, event }) && file.isRuledOn(context, event),
    mayGrow: ({ context }) => file.mayGrow(context),
    grows: ({ context, event }) => event.type === 'maximum.raised' && file.isGrowth(context, event.payload),
    deadlineFired: life.firedBy('deadline'),
    graceFired: life.firedBy('grace'),
    endingFired: life.firedBy('ending'),
    endsInSuccess: life.endsIn('success'),
    endsInCapHit: life.endsIn('cap_hit'),
    endsInDoomLoop: life.endsIn('doom_loop'),
    endsInBudget: life.endsIn('budget'),
    endsInAbort: life.endsIn('abort'),
  },
  actions: {
    awaitResult: assign((on, params: { actor: string }) => life.awaitResult(on, params)),
    ask: assign((on, params: { actor: string }) => life.ask(on, params)),
    forgetHeld: assign({ edit: null }),
    complete: assign((on, params: { actor: string } | undefined) => life.complete(on, params)),
    cancelPending: assign((on) => life.cancelAll(on)),
    /** An attempt whose usage is unknown counts with its whole reservation. */
    giveUp: assign(({ context, event }) => {
      const left = { pending: {}, leftAtWork: { until: null } };
      if (life.usageOf(event)) return { ...left, ...life.countUsage({ context, event }) };
      // Without a recorded reservation, it may have used all that was left.
      const isLost = 'agent' in context.pending && !('agent' in context.reserved);
      return { ...left, spend: isLost ? life.spentOut(context) : context.spend };
    }),
    countUsage: assign((on) => life.countUsage(on)),
    noteAbort: assign((on) => life.noteAbort(on)),
    noteDeadline: assign({ deadlinePassed: true }),
    beginRound: assign((on) => life.beginRound(on)),
    noteDecision: assign((on) => life.noteDecision(on)),
    noteFault: assign((on) => life.noteFault(on)),
    noteCapture: assign((on) => life.noteCapture(on)),
    startBaseline: assign(life.startBaseline),
    noteBaseline: assign((on) => life.noteBaseline(on)),
    noteVerification: assign((on) => life.noteVerification(on)),
    noteRuling: assign((on) => life.noteRuling(on)),
    /** A pause begins a time in which only people are at work, unless an effect has not ended yet. */
    noteFact: assign(({ context, event }) => ({
      ...(event.type === 'run.paused' ? { pausedAt: event.payload.unfinished ? null : event.at } : {}),
      ...file.leftAfter(context, event),
    })),
    continueUnder: assign(({ context, event }) =>
      file.continued({ ...context, ...life.continueUnder({ context, event }) }),
    ),
    leaveOutIdle: assign(({ context, event }) => ({
      ...life.leaveOutIdle({ context, event }),
      ...file.idleAfterPause(context, event),
    })),
    leaveOutWaiting: assign(({ context, event }) => ({
      ...life.leaveOutWaiting({ context, event }),
      ...file.idleAfterWait(context, event),
    })),
    noteWritten: assign(({ context, event }) => file.written(context, event)),
    applyEdit: assign(({ context, event }) => file.edited(context, event)),
    holdEdit: assign(({ context, event }) => file.held(context, event)),
    applyHeld: assign(({ context }) => file.approved(context)),
    dropHeld: assign(({ context }) => file.denied(context)),
    cancelRuling: assign(({ context }) => ({ edit: null, ...life.cancelAll({ context }) })),
    noteStop: assign(({ context, event }) => file.stopped(context, event)),
    noteGrowth: assign(({ context, event }) => file.grown(context, event)),
    glance: enqueueActions(({ enqueue }) => {
      enqueue.stopChild('stateFileGlance');
      enqueue.spawnChild('readStateFile', { id: 'stateFileGlance', input: { purpose: 'glance' } });
      enqueue.assign({ isGlancing: true, pausedAt: null });
    }),
    /** Its result is not waited for: the file is read after the attempt in any case. */
    dropGlance: enqueueActions(({ enqueue }) => {
      enqueue.stopChild('stateFileGlance');
      enqueue.assign({ isGlancing: false });
    }),
    startGrace: assign((on) => life.startGrace(on)),
    startEnding: assign((on) => life.startEnding(on)),
    startWaiting: assign((on) => life.startWaiting(on)),
    /** The wall clock runs again, from where it stood still. */
    stopWaiting: enqueueActions(({ context, event, enqueue }) => {
      if (!life.isWaiting({ context })) return;
      enqueue.assign({ ...life.leaveOutWaiting({ context, event }), ...file.idleAfterWait(context, event) });
      if (context.deadlinePassed) return;
      enqueue.stopChild('deadline');
      enqueue.spawnChild('timer', { id: 'deadline', input: { timer: 'deadline' } });
    }),
    holdDeadline: stopChild('deadline'),
    restartDeadline: enqueueActions(({ context, enqueue }) => {
      if (context.deadlinePassed) return;
      enqueue.stopChild('deadline');
      enqueue.spawnChild('timer', { id: 'deadline', input: { timer: 'deadline' } });
    }),
    /** A new attempt changes the work, so the verification of the last one no longer holds. */
    countIteration: assign(({ context, event }) => ({
      ...life.reserveFor(context, 'agent', event.type === 'iteration.started' ? event.payload.reserved : undefined),
      iterations: context.iterations + 1,
      attempt: null,
      verification: null,
      isBeginning: false,
      warnings: 0,
      steered: null,
    })),
    countWarning: assign((on) => life.countWarning(on)),
    noteSteering: assign((on) => life.noteSteering(on)),
    noteAttempt: assign(({ context, event }) => {
      if (event.type !== 'child.settled') return {};
      const { outcome, spend } = event.payload;
      return {
        attempt: { version: event.version, succeeded: outcome.ending === 'success' },
        spend: addSpend(context.spend, spend),
        ...file.leftAfter(context, event),
      };
    }),
    noteLostAttempt: assign(({ event }) => ({ attempt: { version: event.version, succeeded: false } })),
    /** An aborted attempt ends the whole loop, for the same cause. */
    noteAttemptAbort: assign(({ event }) => {
      if (event.type !== 'child.settled' || event.payload.outcome.ending !== 'abort') return {};
      const { cause, fault } = event.payload.outcome;
      return fault
        ? { fault: { fault, version: event.version } }
        : { abort: { cause, reason: null, version: event.version } };
    }),
  },
}).createMachine({
  id: 'ralph',
  version: '1',
  description:
    'Whole attempts with a state file for people, until one is declared done and proven, or a limit says stop.',
  context: ({ input }) => ({
    ...life.born(input),
    ...file.bornWith(input),
    iterations: 0,
    attempt: null,
    edit: null,
    stopped: null,
    isGlancing: false,
    pausedAt: null,
    idle: null,
    leftAtWork: null,
  }),
  initial: 'decide',
  invoke: { id: 'deadline', src: 'timer', input: { timer: 'deadline' } },
  on: {
    // generated from the turn chart by npm run docs: transitions of every state
    'abort.requested': {
      description: 'Running effects are cancelled; their final results are awaited.',
      target: '.decide.aborting',
      actions: 'noteAbort',
    },
    'timer.fired': {
      description: 'The wall-clock limit is reached, in any state.',
      guard: 'deadlineFired',
      target: '.decide.aborting',
      actions: ['holdDeadline', 'noteDeadline'],
    },
    'run.paused': { description: 'Nothing new starts until the run is resumed.', actions: 'noteFact' },
    'run.resumed': {
      description: 'The idle time before it counts towards no limit.',
      actions: ['leaveOutIdle', 'restartDeadline'],
    },
    'run.steered': {
      description: 'A user adds to the task: no work is finished before the next prompt contains it.',
      guard: 'isUndecided',
      actions: 'noteSteering',
    },
    'warning.raised': {
      description: 'A warning for users; no decision rests on it.',
      guard: 'mayWarn',
      actions: 'countWarning',
    },
    // end of generated
    'state_file.noticed': {
      description: 'What lay in the file before only people could change it is asked about when the file is read.',
      actions: 'noteFact',
    },
  },
  states: {
    stream: {
      description: 'Runs one whole attempt, as a child run, and keeps the state file before and after it.',
      initial: 'recording',
      on: {
        'iteration.started': {
          description: 'Recorded together with the decision that started the iteration.',
          guard: 'isNextIteration',
          actions: 'countIteration',
        },
      },
      states: {
        recording: {
          description: 'Writes the state file, unless it has been edited since.',
          entry: { type: 'awaitResult', params: { actor: 'stateFile' } },
          invoke: { id: 'stateFile', src: 'writeStateFile', input: { purpose: 'write' } },
          on: {
            'state_file.written': { target: 'attempting', actions: ['complete', 'noteWritten'] },
            'state_file.edited': { target: 'judgingEdit', actions: 'complete' },
            'state_file.damaged': {
              description: 'It is not written over: a person has to mend it.',
              target: 'awaitingPerson',
              actions: 'complete',
            },
            'state_file.interrupted': {
              description: 'Interrupted: started again when the run continues.',
              guard: 'isPending',
              target: 'recording',
              reenter: true,
              actions: 'complete',
            },
          },
        },
        attempting: {
          description: 'The attempt runs.',
          entry: { type: 'awaitResult', params: { actor: 'agent' } },
          exit: ['stopWaiting', 'dropGlance'],
          invoke: { id: 'agent', src: 'runAgent' },
          on: {
            'child.asked': {
              description: 'The attempt waits for a user: the clock stands still.',
              guard: 'isWorking',
              actions: ['startWaiting', 'holdDeadline'],
            },
            'child.answered': { description: 'The attempt continues.', guard: 'isWaiting', actions: 'stopWaiting' },
            'run.resumed': [
              {
                description:
                  'The idle time is part of the wait: the clock stands still. The file may say something new.',
                guard: 'isWaiting',
                actions: 'glance',
              },
              {
                description: 'The idle time before it counts towards no limit. The file may say something new.',
                actions: ['leaveOutIdle', 'restartDeadline', 'glance'],
              },
            ],
            'state_file.revisited': [
              {
                description: 'The file says that the loop is to stop.',
                guard: 'stopsAttempt',
                target: '#ralph.decide.aborting',
                actions: 'noteStop',
              },
              {
                description: 'What people have changed counts.',
                guard: 'isGlancing',
                actions: ['applyEdit', 'dropGlance'],
              },
            ],
            'child.settled': [
              {
                description: 'A user or an error aborted the attempt: the loop ends with it.',
                guard: 'attemptAborted',
                target: '#ralph.decide',
                actions: ['complete', 'noteAttempt', 'noteAttemptAbort'],
              },
              {
                description: 'Every other ending: the work of the attempt is looked at.',
                guard: 'isPending',
                target: 'reading',
                actions: ['complete', 'noteAttempt'],
              },
            ],
            'effect.interrupted': {
              description: 'An interrupted attempt counts as failed; the workspace it left is captured.',
              guard: 'isPending',
              target: 'reading',
              actions: ['complete', 'countUsage', 'noteLostAttempt'],
            },
          },
        },
        reading: {
          description: 'Reads the state file: it may have been edited meanwhile.',
          entry: { type: 'awaitResult', params: { actor: 'stateFile' } },
          invoke: { id: 'stateFile', src: 'readStateFile', input: { purpose: 'read' } },
          on: {
            'state_file.kept': { target: '#ralph.tools', actions: 'complete' },
            'state_file.edited': { target: 'judgingEdit', actions: 'complete' },
            'state_file.damaged': {
              description: 'The loop does not know what it is to do: a person has to mend the file.',
              target: 'awaitingPerson',
              actions: 'complete',
            },
            'state_file.interrupted': {
              description: 'Interrupted: started again when the run continues.',
              guard: 'isPending',
              target: 'reading',
              reenter: true,
              actions: 'complete',
            },
          },
        },
        judgingEdit: {
          description: 'The file was edited, before the attempt or after it: what the edit asks for decides.',
          always: [
            {
              description: 'The file says that the loop is to stop.',
              guard: 'stopsLoop',
              target: '#ralph.decide',
              actions: 'noteStop',
            },
            {
              description: 'It would give the loop more than it has: a person is asked.',
              guard: 'isHeld',
              target: 'awaitingPerson',
              actions: 'holdEdit',
            },
            {
              description: 'The edit counts, and the attempt is over.',
              guard: 'hasAttempted',
              target: '#ralph.tools',
              actions: 'applyEdit',
            },
            {
              description: 'It leaves no iteration: the judge decides.',
              guard: 'isOver',
              target: '#ralph.decide',
              actions: 'applyEdit',
            },
            {
              description: 'The edit counts, and the file is written again.',
              target: 'recording',
              actions: 'applyEdit',
            },
          ],
        },
        awaitingPerson: {
          description: 'A person allows an edit, or mends the file: the clock stands still.',
          entry: [{ type: 'ask', params: { actor: 'stateFileRuling' } }, 'startWaiting', 'holdDeadline'],
          exit: ['leaveOutWaiting', 'restartDeadline'],
          invoke: { id: 'stateFileRuling', src: 'askPerson' },
          on: {
            'edit.approved': {
              description: 'Exactly that content is allowed. The file is read once more.',
              guard: 'isThatEdit',
              target: 'returning',
              actions: ['complete', 'applyHeld'],
            },
            'edit.denied': {
              description: 'The next writing replaces it.',
              guard: 'isThatEdit',
              target: 'returning',
              actions: ['complete', 'dropHeld'],
            },
            'run.resumed': {
              description: 'The file may be another by now: it is read again.',
              target: 'withdrawing',
            },
            'edit.withdrawn': {
              description: 'The question was lost: the file is read again.',
              target: 'returning',
              actions: ['complete', 'forgetHeld'],
            },
          },
        },
        withdrawing: {
          description: 'The question is withdrawn, because the file may have changed.',
          entry: 'cancelRuling',
          on: {
            'edit.withdrawn': { target: 'returning', actions: 'complete' },
          },
        },
        returning: {
          description: 'Back to the writing before the attempt, or to the reading after it.',
          always: [
            { description: 'The attempt is over.', guard: 'hasAttempted', target: 'reading' },
            { description: 'The allowed edit leaves no iteration.', guard: 'isOver', target: '#ralph.decide' },
            { description: 'The attempt is still to come.', target: 'recording' },
          ],
        },
      },
    },
    tools: {
      description: 'Captures the workspace, to see what the attempt changed.',
      entry: { type: 'awaitResult', params: { actor: 'capture' } },
      invoke: { id: 'capture', src: 'captureWorkspace' },
      on: {
        'workspace.captured': { target: 'verify', actions: ['complete', 'noteCapture'] },
        'workspace.failed': { target: 'decide', actions: ['complete', 'noteFault'] },
        'effect.interrupted': {
          description: 'Interrupted: started again when the run continues.',
          guard: 'isPending',
          target: 'tools',
          reenter: true,
          actions: 'complete',
        },
      },
    },
    verify: {
      description: 'Runs the levels of checks in order, up to the first that fails, and may raise the maximum.',
      initial: 'choosing',
      states: {
        choosing: {
          description: 'Only an attempt that succeeded is checked, and only if there are checks.',
          always: [
            {
              description: 'It succeeded, and there is something to check it with.',
              guard: 'attemptToVerify',
              target: 'checking',
            },
            {
              description: 'There is nothing to check, and the maximum may grow.',
              guard: 'mayGrow',
              target: 'weighing',
            },
            { description: 'There is nothing to check.', target: '#ralph.decide' },
          ],
        },
        // generated from the turn chart by npm run docs: verify.baseline
        baseline: {
          description: 'Runs all checks on the tree that the run begins with.',
          entry: { type: 'awaitResult', params: { actor: 'checks' } },
          invoke: { id: 'checks', src: 'takeBaseline' },
          on: {
            'baseline.taken': { target: '#ralph.decide', actions: ['complete', 'noteBaseline'] },
            'effect.interrupted': {
              description: 'Interrupted: started again when the run continues.',
              guard: 'isPending',
              target: 'baseline',
              reenter: true,
              actions: 'complete',
            },
          },
        },
        // end of generated
        checking: {
          description: 'Runs the checks on the captured workspace.',
          entry: { type: 'awaitResult', params: { actor: 'checks' } },
          invoke: { id: 'checks', src: 'verifyWork' },
          on: {
            'verification.completed': [
              {
                description: 'What the work changed of its tests or configuration decides: a person is asked.',
                guard: 'isDisputed',
                target: 'disputed',
                actions: ['complete', 'noteVerification'],
              },
              {
                description: 'It was the last iteration, and the maximum may grow.',
                guard: 'mayGrow',
                target: 'weighing',
                actions: ['complete', 'noteVerification'],
              },
              {
                description: 'Another iteration is left, or the maximum is fixed.',
                target: '#ralph.decide',
                actions: ['complete', 'noteVerification'],
              },
            ],
            'effect.interrupted': {
              description: 'Interrupted: started again when the run continues.',
              guard: 'isPending',
              target: 'checking',
              reenter: true,
              actions: 'complete',
            },
          },
        },
        weighing: {
          description: 'The maximum is reached: it grows where more and more checks pass.',
          invoke: { id: 'weighing', src: 'weighMaximum' },
          on: {
            'maximum.raised': { guard: 'grows', target: '#ralph.decide', actions: 'noteGrowth' },
            'maximum.held': { target: '#ralph.decide', actions: 'noteFact' },
          },
        },
        // generated from the turn chart by npm run docs: verify.disputed
        disputed: {
          description: 'A person decides whether changed tests and configuration count: the clock stands still.',
          entry: [{ type: 'ask', params: { actor: 'groundsRuling' } }, 'startWaiting', 'holdDeadline'],
          exit: ['leaveOutWaiting', 'restartDeadline'],
          invoke: { id: 'groundsRuling', src: 'askAboutGrounds' },
          on: {
            'grounds.approved': {
              description: 'Exactly these changes count: the work is checked with them.',
              guard: 'isThatDispute',
              target: 'checking',
              actions: ['complete', 'noteRuling'],
            },
            'grounds.denied': {
              description: 'They do not count: the checks say so to the next round.',
              guard: 'isThatDispute',
              target: 'checking',
              actions: ['complete', 'noteRuling'],
            },
            'run.resumed': {
              description: 'The idle time is part of the wait: the clock stands still.',
              actions: 'noteFact',
            },
            'effect.interrupted': {
              description: 'Interrupted: asked again when the run continues.',
              guard: 'isPending',
              target: 'disputed',
              reenter: true,
              actions: 'complete',
            },
          },
        },
        // end of generated
      },
    },
    decide: {
      // generated from the turn chart by npm run docs: decide
      description: 'Decides whether the run continues or ends, and why.',
      initial: 'judging',
      states: {
        judging: {
          description: 'Asks the judge. Its decision is recorded.',
          invoke: { id: 'judge', src: 'judge' },
          on: {
            'decision.made': [
              {
                description: 'Before the first round, the checks run on what the run begins with.',
                guard: 'needsBaseline',
                target: '#ralph.verify.baseline',
                actions: 'startBaseline',
              },
              { description: 'Another round.', guard: 'goesOn', target: '#ralph.stream', actions: 'beginRound' },
              {
                description: 'The run ends, as the decision says.',
                guard: 'ends',
                target: 'ending',
                actions: 'noteDecision',
              },
            ],
            'run.continued': {
              description: 'A continuation asks the judge again, under other limits.',
              target: 'judging',
              reenter: true,
              actions: ['continueUnder', 'restartDeadline'],
            },
          },
        },
        // end of generated
        // generated from the turn chart by npm run docs: decide.aborting
        aborting: {
          description: 'Waits for the results of cancelled effects, until the grace runs out.',
          entry: ['cancelPending', 'startGrace'],
          invoke: { id: 'grace', src: 'timer', input: { timer: 'grace' } },
          always: { guard: 'nothingPending', target: 'judging' },
          on: {
            'abort.requested': { description: 'A second abort gives no further grace.', actions: 'noteAbort' },
            'timer.fired': [
              {
                description: 'The grace is over: results that are still pending are given up.',
                guard: 'graceFired',
                target: 'judging',
                actions: 'giveUp',
              },
              {
                description: 'The deadline gives no further grace either.',
                guard: 'deadlineFired',
                actions: ['holdDeadline', 'noteDeadline'],
              },
            ],
            // end of generated
            'child.settled': { guard: 'isPending', actions: ['complete', 'noteAttempt'] },
            'state_file.written': { guard: 'isPending', actions: ['complete', 'noteWritten'] },
            'state_file.kept': { guard: 'isPending', actions: 'complete' },
            'state_file.edited': {
              description: 'It no longer matters; it is found again when the file is closed.',
              guard: 'isPending',
              actions: 'complete',
            },
            'state_file.damaged': { guard: 'isPending', actions: 'complete' },
            'state_file.interrupted': { guard: 'isPending', actions: 'complete' },
            'edit.approved': { guard: 'isPending', actions: 'complete' },
            'edit.denied': { guard: 'isPending', actions: 'complete' },
            'edit.withdrawn': { guard: 'isPending', actions: 'complete' },
            'workspace.captured': { guard: 'isPending', actions: ['complete', 'noteCapture'] },
            'workspace.failed': { guard: 'isPending', actions: 'complete' },
            'baseline.taken': { guard: 'isPending', actions: ['complete', 'noteBaseline'] },
            'verification.completed': { guard: 'isPending', actions: ['complete', 'noteVerification'] },
            'effect.interrupted': { guard: 'isPending', actions: ['complete', 'countUsage'] },
          },
        },
        // generated from the turn chart by npm run docs: decide.ending
        ending: {
          description: 'The summary and the end of the strategy, under a time limit. The decision stands.',
          initial: 'summarising',
          entry: 'startEnding',
          invoke: { id: 'ending', src: 'timer', input: { timer: 'ending' } },
          on: {
            'abort.requested': { description: 'Too late: the decision stands.' },
            'timer.fired': [
              {
                description: 'The time is over: pending results are given up.',
                guard: 'endingFired',
                target: '.ended',
              },
              { description: 'No other timer changes the decision.' },
            ],
          },
          states: {
            summarising: {
              description: 'Writes a summary: what was reached, and which limit ended the run.',
              invoke: { id: 'summary', src: 'summarise', input: { purpose: 'ending' } },
              on: { 'summary.written': { target: 'farewell', actions: ['complete', 'countUsage'] } },
            },
            // end of generated
            farewell: {
              description: 'The state file says how the run ended, and the strategy is told.',
              initial: 'closing',
              states: {
                closing: {
                  description: 'Writes that the loop is over, and why.',
                  invoke: { id: 'stateFileClosing', src: 'closeStateFile', input: { purpose: 'close' } },
                  on: {
                    'state_file.superseded': {
                      description: 'An edit came too late: it is recorded before the file is written over.',
                      actions: 'noteWritten',
                    },
                    'state_file.closed': { target: 'telling', actions: 'noteFact' },
                  },
                },
                telling: {
                  description: 'The strategy is told how the run ended.',
                  invoke: { id: 'strategy', src: 'endStrategy' },
                  on: { 'strategy.ended': { target: '#ralph.decide.ending.ended', actions: 'noteFact' } },
                },
              },
            },
            // generated from the turn chart by npm run docs: decide.ending.ended
            ended: {
              description: 'Enters the ending that the decision named.',
              always: [
                { description: 'The work is done.', guard: 'endsInSuccess', target: '#ralph.success' },
                { description: 'A cap was reached.', guard: 'endsInCapHit', target: '#ralph.cap_hit' },
                { description: 'The loop repeated itself.', guard: 'endsInDoomLoop', target: '#ralph.doom_loop' },
                { description: 'A budget ran out.', guard: 'endsInBudget', target: '#ralph.budget' },
                { description: 'The run was aborted.', guard: 'endsInAbort', target: '#ralph.abort' },
              ],
            },
          },
        },
        // end of generated
      },
    },
    success: { description: 'Declared done, and verified if checks are configured.', type: 'final' },
    cap_hit: { description: 'Iterations or wall time ran out.', type: 'final' },
    doom_loop: { description: 'The attempts repeated themselves, or stopped making progress.', type: 'final' },
    budget: { description: 'Tokens ran out.', type: 'final' },
    abort: { description: 'Stopped by a user, a signal or an error.', type: 'final' },
  },
});
