// The contest: attempts at one task compete, each in a worktree of its own, and the best by evidence wins. `stream`
// runs the attempts and compares what they have made, `tools` brings the winner's change into the workspace, `verify`
// checks it there, `decide` asks the judge.
//
// Over 300 lines because editors of charts read only literals: what all loops share is written in each, and generated.
import { type AnyEventObject, assign, enqueueActions, fromCallback, setup, stopChild } from 'xstate';
import * as lanes from './contest-lanes.ts';
import type { ContestEvent, Recorded } from './events.ts';
import * as life from './life.ts';

/** A name for an effect that the host executes. Its results are events; folding never runs it. */
const external = fromCallback<AnyEventObject, { readonly [reference: string]: string } | undefined>(() => {});

export const contest = setup({
  types: {
    context: {} as lanes.ContestContext,
    events: {} as Recorded<ContestEvent>,
    input: {} as life.Opening | undefined,
  },
  actors: {
    admitAttempt: external,
    prepareAttempt: external,
    runAgent: external,
    measureAttempt: external,
    compareAttempts: external,
    bringWinner: external,
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
    goesOn: ({ context, event }) => life.goesOn({ context, event }) && context.iterations < lanes.mostAttempts(context),
    needsBaseline: life.needsBaseline,
    ends: life.ends,
    mayWarn: life.mayWarn,
    isPending: lanes.isPending,
    isUndecided: life.isUndecided,
    isDisputed: life.isDisputed,
    isThatDispute: life.isThatDispute,
    nothingPending: life.nothingPending,
    isNextIteration: ({ context, event }) => context.isBeginning && lanes.isNextAttempt({ context, event }),
    isNext: lanes.isNextAttempt,
    startsAnother: lanes.startsAnother,
    isUnprepared: ({ context }) => lanes.unprepared(context) !== undefined,
    isUnpreparedOne: lanes.isUnpreparedOne,
    isUnmeasured: ({ context }) => lanes.unmeasured(context) !== undefined,
    isUnmeasuredOne: lanes.isUnmeasuredOne,
    isUncompared: ({ context }) => context.isUncompared,
    isOfPreparation: lanes.isOfEffect('preparing'),
    isOfMeasurement: lanes.isOfEffect('measuring'),
    isOfBringing: lanes.isOfEffect('bringing'),
    isOfCapture: lanes.isOfEffect('capture'),
    noneIsLeft: lanes.noneIsLeft,
    isOpen: lanes.isOpen,
    isDecidable: lanes.isDecidable,
    stoppedWithWinner: ({ context }) => life.nothingPending({ context }) && context.leader !== null,
    waitsForPersons: life.onlyPersonsPending,
    worksOn: ({ context }) => !life.onlyPersonsPending({ context }),
    childWorks: (on) => lanes.childIs(on, 'owed'),
    childWaits: (on) => lanes.childIs(on, 'waiting'),
    isAborted: lanes.isAborted,
    isLeader: lanes.isLeader,
    hasChecks: ({ context }) => context.hasChecks,
    anotherStands: lanes.anotherStands,
    hasFailed: lanes.hasFailed,
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
    complete: assign((on) => lanes.complete(on)),
    cancelPending: enqueueActions(({ context, enqueue }) => {
      for (const actor of Object.keys(context.pending)) if (actor.startsWith('agent.')) enqueue.stopChild(actor);
      enqueue.assign(life.cancelAll({ context }));
    }),
    giveUp: assign(({ context, event }) => ({
      pending: {},
      ...life.countUsage({ context, event }),
      ...lanes.loseUnderWay({ context, event }),
    })),
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
    noteFact: assign(() => ({})),
    noteSteering: assign((on) => life.noteSteering(on)),
    countWarning: assign((on) => life.countWarning(on)),
    continueUnder: assign((on) => life.continueUnder(on)),
    leaveOutIdle: assign((on) => life.leaveOutIdle(on)),
    startGrace: assign((on) => life.startGrace(on)),
    startEnding: assign((on) => life.startEnding(on)),
    startWaiting: assign((on) => life.startWaiting(on)),
    leaveOutWaiting: assign((on) => life.leaveOutWaiting(on)),
    holdDeadline: stopChild('deadline'),
    restartDeadline: enqueueActions(({ context, enqueue }) => {
      if (context.deadlinePassed) return;
      enqueue.stopChild('deadline');
      enqueue.spawnChild('timer', { id: 'deadline', input: { timer: 'deadline' } });
    }),
    countAttempt: assign((on) => lanes.countAttempt(on)),
    beginWork: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'attempt.prepared') return;
      const { lane } = event.payload;
      enqueue.assign(lanes.beginWork({ context, event }));
      enqueue.spawnChild('runAgent', { id: lanes.attemptOf(lane), input: { lane } });
    }),
    noteAttempt: assign((on) => lanes.noteAttempt(on)),
    noteAttemptAbort: assign((on) => lanes.noteAttemptAbort(on)),
    dropLane: assign((on) => lanes.dropLane(on)),
    loseLane: assign((on) => lanes.loseLane(on)),
    /** XState keeps a spawned child until it is stopped, and each one makes every event slower. */
    dismissAttempt: enqueueActions(({ event, enqueue }) => enqueue.stopChild(life.actorOf(event) ?? '')),
    markChildWaiting: assign((on) => lanes.markChild(on, 'waiting')),
    markChildRunning: assign((on) => lanes.markChild(on, 'owed')),
    noteMeasure: assign((on) => lanes.noteMeasure(on)),
    noteComparison: assign((on) => lanes.noteComparison(on)),
    chooseLeader: assign((on) => lanes.chooseLeader(on)),
    noteBrought: assign((on) => lanes.noteBrought(on)),
    refuseLeader: assign((on) => lanes.refuseLeader(on)),
  },
}).createMachine({
  id: 'contest',
  version: '1',
  description: 'Attempts at one task compete, each by itself; the best by evidence wins.',
  context: ({ input }) => lanes.born(input),
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
    'child.asked': {
      description: 'An attempt waits for a user.',
      guard: 'childWorks',
      actions: 'markChildWaiting',
    },
    'child.answered': { description: 'An attempt continues.', guard: 'childWaits', actions: 'markChildRunning' },
    'child.settled': [
      {
        description: 'A user or a signal aborted it, and with it the contest.',
        guard: 'isAborted',
        target: '.decide.aborting',
        actions: ['noteAttempt', 'complete', 'noteAttemptAbort', 'dismissAttempt'],
      },
      {
        description: 'Every other ending, also of one that was stopped: its cost counts.',
        guard: 'isPending',
        actions: ['noteAttempt', 'complete', 'dismissAttempt'],
      },
    ],
    'effect.interrupted': {
      description: 'An attempt that was lost has left nothing.',
      guard: 'isPending',
      actions: ['complete', 'countUsage', 'dropLane', 'dismissAttempt'],
    },
  },
  states: {
    stream: {
      description: 'Runs attempts side by side, and compares what they have made.',
      initial: 'beginning',
      states: {
        beginning: {
          description: 'An attempt begins.',
          on: {
            'iteration.started': {
              description: 'Recorded together with the decision that started it.',
              guard: 'isNextIteration',
              target: 'working',
              actions: 'countAttempt',
            },
          },
        },
        working: {
          description: 'Attempts run; the work of each that has ended is looked at.',
          always: [
            { description: 'The run of one has ended.', guard: 'isUnmeasured', target: 'measuring' },
            { description: 'More is known of them.', guard: 'isUncompared', target: 'comparing' },
            { description: 'Each needs a worktree before it begins.', guard: 'isUnprepared', target: 'preparing' },
            { description: 'There is room beside those that run.', guard: 'startsAnother', target: 'admitting' },
            { description: 'None runs any more.', guard: 'noneIsLeft', target: 'comparing' },
            {
              description: 'Only answers of users are pending.',
              guard: 'waitsForPersons',
              target: 'awaitingPerson',
            },
          ],
        },
        admitting: {
          description: 'Sets aside the share of another attempt.',
          invoke: { id: 'admission', src: 'admitAttempt' },
          on: {
            'iteration.started': {
              description: 'It begins beside those before it.',
              guard: 'isNext',
              target: 'working',
              actions: 'countAttempt',
            },
          },
        },
        preparing: {
          description: 'Makes a worktree, with the files that the run began with.',
          entry: { type: 'awaitResult', params: { actor: 'preparing' } },
          invoke: { id: 'preparing', src: 'prepareAttempt' },
          on: {
            'attempt.prepared': {
              description: 'Its run begins.',
              guard: 'isUnpreparedOne',
              target: 'working',
              actions: ['complete', 'beginWork'],
            },
            'attempt.refused': {
              description: 'It cannot begin.',
              guard: 'isUnpreparedOne',
              target: 'working',
              actions: ['complete', 'dropLane'],
            },
            'effect.interrupted': {
              description: 'Interrupted: started again when the run continues.',
              guard: 'isOfPreparation',
              target: 'preparing',
              reenter: true,
              actions: 'complete',
            },
          },
        },
        measuring: {
          description: 'Looks at what an attempt has left: its checks, and its change.',
          entry: { type: 'awaitResult', params: { actor: 'measuring' } },
          invoke: { id: 'measuring', src: 'measureAttempt' },
          on: {
            'attempt.measured': {
              description: 'It is compared with the others, once each that has ended is looked at.',
              guard: 'isUnmeasuredOne',
              target: 'working',
              actions: ['complete', 'noteMeasure'],
            },
            'effect.interrupted': {
              description: 'Interrupted: started again when the run continues.',
              guard: 'isOfMeasurement',
              target: 'measuring',
              reenter: true,
              actions: 'complete',
            },
          },
        },
        comparing: {
          description: 'Compares the attempts by evidence: the grade, then the tests, then the size of the change.',
          invoke: { id: 'comparison', src: 'compareAttempts' },
          on: {
            'attempts.compared': [
              {
                description: 'One that runs may be better.',
                guard: 'isOpen',
                target: 'working',
                actions: 'noteComparison',
              },
              {
                description: 'None that runs can be better: they are ended.',
                guard: 'isDecidable',
                target: 'stopping',
                actions: ['noteComparison', 'chooseLeader'],
              },
            ],
          },
        },
        awaitingPerson: {
          description: 'Only answers of users are pending: the clock stands still.',
          entry: ['startWaiting', 'holdDeadline'],
          exit: ['leaveOutWaiting', 'restartDeadline'],
          always: [
            { description: 'The run of one has ended.', guard: 'isUnmeasured', target: 'working' },
            { description: 'One was lost, and another begins.', guard: 'startsAnother', target: 'working' },
            { description: 'One was lost, and none is left.', guard: 'noneIsLeft', target: 'working' },
            { description: 'An attempt works on.', guard: 'worksOn', target: 'working' },
          ],
          on: {
            'run.resumed': {
              description: 'The idle time is part of the wait: the clock stands still.',
              actions: 'noteFact',
            },
          },
        },
        stopping: {
          description: 'It is decided: attempts that still run are ended, and their cost counts.',
          entry: 'cancelPending',
          always: [
            { description: 'One has won.', guard: 'stoppedWithWinner', target: '#contest.tools' },
            { description: 'None stands.', guard: 'nothingPending', target: '#contest.decide' },
          ],
        },
      },
    },
    tools: {
      description: "Brings the winner's change into the workspace.",
      initial: 'bringing',
      states: {
        bringing: {
          description: 'Writes its files, beside what a person has changed since.',
          entry: { type: 'awaitResult', params: { actor: 'bringing' } },
          invoke: { id: 'bringing', src: 'bringWinner' },
          on: {
            'winner.brought': {
              description: 'The workspace has them.',
              guard: 'isLeader',
              target: 'capturing',
              actions: ['complete', 'noteBrought'],
            },
            'winner.refused': {
              description: 'The workspace has something else in their place.',
              guard: 'isLeader',
              target: '#contest.decide',
              actions: ['complete', 'noteFault'],
            },
            'effect.interrupted': {
              description: 'Interrupted: started again when the run continues.',
              guard: 'isOfBringing',
              target: 'bringing',
              reenter: true,
              actions: 'complete',
            },
          },
        },
        capturing: {
          description: 'Captures the workspace with them.',
          entry: { type: 'awaitResult', params: { actor: 'capture' } },
          invoke: { id: 'capture', src: 'captureWorkspace' },
          on: {
            'workspace.captured': { target: '#contest.verify', actions: ['complete', 'noteCapture'] },
            'workspace.failed': { target: '#contest.decide', actions: ['complete', 'noteFault'] },
            'effect.interrupted': {
              description: 'Interrupted: started again when the run continues.',
              guard: 'isOfCapture',
              target: 'capturing',
              reenter: true,
              actions: 'complete',
            },
          },
        },
      },
    },
    verify: {
      description: 'Runs the checks on the workspace with the change of the winner.',
      initial: 'choosing',
      states: {
        choosing: {
          description: 'Without checks nothing is proven.',
          always: [
            { description: 'There is something to check it with.', guard: 'hasChecks', target: 'checking' },
            { description: 'There is nothing to check.', target: '#contest.decide' },
          ],
        },
        // generated from the turn chart by npm run docs: verify.baseline
        baseline: {
          description: 'Runs all checks on the tree that the run begins with.',
          entry: { type: 'awaitResult', params: { actor: 'checks' } },
          invoke: { id: 'checks', src: 'takeBaseline' },
          on: {
            'baseline.taken': { target: '#contest.decide', actions: ['complete', 'noteBaseline'] },
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
                description: 'It does not pass here, and another attempt stands.',
                guard: 'anotherStands',
                target: '#contest.stream.comparing',
                actions: ['complete', 'noteVerification', 'refuseLeader'],
              },
              {
                description: 'It does not pass here.',
                guard: 'hasFailed',
                target: '#contest.decide',
                actions: ['complete', 'noteVerification', 'refuseLeader'],
              },
              {
                description: 'The judge decides.',
                target: '#contest.decide',
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
                target: '#contest.verify.baseline',
                actions: 'startBaseline',
              },
              { description: 'Another round.', guard: 'goesOn', target: '#contest.stream', actions: 'beginRound' },
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
            'child.settled': { guard: 'isPending', actions: ['complete', 'noteAttempt', 'dismissAttempt'] },
            'attempt.prepared': { guard: 'isPending', actions: ['complete', 'loseLane'] },
            'attempt.refused': { guard: 'isPending', actions: ['complete', 'dropLane'] },
            'attempt.measured': { guard: 'isPending', actions: ['complete', 'noteMeasure'] },
            'winner.brought': { guard: 'isPending', actions: ['complete', 'noteBrought'] },
            'winner.refused': { guard: 'isPending', actions: 'complete' },
            'workspace.captured': { guard: 'isPending', actions: ['complete', 'noteCapture'] },
            'workspace.failed': { guard: 'isPending', actions: 'complete' },
            'baseline.taken': { guard: 'isPending', actions: ['complete', 'noteBaseline'] },
            'verification.completed': { guard: 'isPending', actions: ['complete', 'noteVerification'] },
            'effect.interrupted': {
              guard: 'isPending',
              actions: ['complete', 'countUsage', 'dropLane', 'dismissAttempt'],
            },
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
              description: 'The strategy is told how the run ended.',
              invoke: { id: 'strategy', src: 'endStrategy' },
              on: { 'strategy.ended': { target: 'ended', actions: 'noteFact' } },
            },
            // generated from the turn chart by npm run docs: decide.ending.ended
            ended: {
              description: 'Enters the ending that the decision named.',
              always: [
                { description: 'The work is done.', guard: 'endsInSuccess', target: '#contest.success' },
                { description: 'A cap was reached.', guard: 'endsInCapHit', target: '#contest.cap_hit' },
                { description: 'The loop repeated itself.', guard: 'endsInDoomLoop', target: '#contest.doom_loop' },
                { description: 'A budget ran out.', guard: 'endsInBudget', target: '#contest.budget' },
                { description: 'The run was aborted.', guard: 'endsInAbort', target: '#contest.abort' },
              ],
            },
          },
        },
        // end of generated
      },
    },
    success: { description: 'An attempt has won, proven if checks are configured.', type: 'final' },
    cap_hit: { description: 'No attempt stands, or the wall time ran out.', type: 'final' },
    doom_loop: { description: 'The attempts repeated themselves.', type: 'final' },
    budget: { description: 'Tokens ran out.', type: 'final' },
    abort: { description: 'Stopped by a user, a signal or an error.', type: 'final' },
  },
});
