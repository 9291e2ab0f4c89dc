// The iteration loop: whole attempts, each a turn in a child run, checked from outside, until one is verified or a
// limit says stop. `stream` runs the attempt, `tools` captures the workspace, `verify` runs the checks, `decide` asks
// the judge.
//
// Over 300 lines because editors of charts read only literals: what both loops share is written in each, and generated.
import { type AnyEventObject, assign, enqueueActions, fromCallback, setup, stopChild } from 'xstate';
import type { IterationEvent, Recorded } from './events.ts';
import * as life from './life.ts';
import { addSpend, isUnanswered } from './outcome.ts';

export interface IterationContext extends life.Life {
  /** Iterations started. */
  readonly iterations: number;
  /** How the newest attempt ended. Only a successful one is verified. */
  readonly attempt: { readonly version: number; readonly succeeded: boolean } | null;
}

/** A name for an effect that the host executes. Its results are events; folding never runs it. */
const external = fromCallback<AnyEventObject, { readonly [reference: string]: string } | undefined>(() => {});

export const iteration = setup({
  types: {
    context: {} as IterationContext,
    events: {} as Recorded<IterationEvent>,
    input: {} as life.Opening | undefined,
  },
  actors: {
    runAgent: external,
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
      context.iterations < life.mostRounds(context.limits.maxIterations, context.limits),
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
    complete: assign((on) => life.complete(on)),
    cancelPending: assign((on) => life.cancelAll(on)),
    /** An attempt whose usage is unknown counts with its whole reservation. */
    giveUp: assign(({ context, event }) => {
      if (life.usageOf(event)) return { pending: {}, ...life.countUsage({ context, event }) };
      // Without a recorded reservation, it may have used all that was left.
      const isLost = 'agent' in context.pending && !('agent' in context.reserved);
      return { pending: {}, spend: isLost ? life.spentOut(context) : context.spend };
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
    noteFact: assign(() => ({})),
    continueUnder: assign((on) => life.continueUnder(on)),
    leaveOutIdle: assign((on) => life.leaveOutIdle(on)),
    startGrace: assign((on) => life.startGrace(on)),
    startEnding: assign((on) => life.startEnding(on)),
    startWaiting: assign((on) => life.startWaiting(on)),
    leaveOutWaiting: assign((on) => life.leaveOutWaiting(on)),
    /** The wall clock runs again, from where it stood still. */
    stopWaiting: enqueueActions(({ context, event, enqueue }) => {
      if (!life.isWaiting({ context })) return;
      enqueue.assign(life.leaveOutWaiting({ context, event }));
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
  id: 'iteration',
  version: '1',
  description: 'Whole attempts, each checked, until one is proven or a limit says stop.',
  context: ({ input }) => ({ ...life.born(input), iterations: 0, attempt: null }),
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
  },
  states: {
    stream: {
      description: 'Runs one whole attempt, as a child run.',
      entry: { type: 'awaitResult', params: { actor: 'agent' } },
      exit: 'stopWaiting',
      invoke: { id: 'agent', src: 'runAgent' },
      on: {
        'child.asked': {
          description: 'The attempt waits for a user: the clock stands still.',
          guard: 'isWorking',
          actions: ['startWaiting', 'holdDeadline'],
        },
        'child.answered': { description: 'The attempt continues.', guard: 'isWaiting', actions: 'stopWaiting' },
        'run.resumed': {
          description: 'The idle time is part of the wait: the clock stands still.',
          guard: 'isWaiting',
          actions: 'noteFact',
        },
        'iteration.started': {
          description: 'Recorded together with the decision that started the iteration.',
          guard: 'isNextIteration',
          actions: 'countIteration',
        },
        'child.settled': [
          {
            description: 'A user or an error aborted the attempt: the loop ends with it.',
            guard: 'attemptAborted',
            target: 'decide',
            actions: ['complete', 'noteAttempt', 'noteAttemptAbort'],
          },
          {
            description: 'Every other ending: the work of the attempt is looked at.',
            guard: 'isPending',
            target: 'tools',
            actions: ['complete', 'noteAttempt'],
          },
        ],
        'effect.interrupted': {
          description: 'An interrupted attempt counts as failed; the workspace it left is captured.',
          guard: 'isPending',
          target: 'tools',
          actions: ['complete', 'countUsage', 'noteLostAttempt'],
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
      description: 'Runs the levels of checks in order, up to the first that fails.',
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
            { description: 'There is nothing to check.', target: '#iteration.decide' },
          ],
        },
        // generated from the turn chart by npm run docs: verify.baseline
        baseline: {
          description: 'Runs all checks on the tree that the run begins with.',
          entry: { type: 'awaitResult', params: { actor: 'checks' } },
          invoke: { id: 'checks', src: 'takeBaseline' },
          on: {
            'baseline.taken': { target: '#iteration.decide', actions: ['complete', 'noteBaseline'] },
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
                description: 'The judge decides.',
                target: '#iteration.decide',
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
                target: '#iteration.verify.baseline',
                actions: 'startBaseline',
              },
              { description: 'Another round.', guard: 'goesOn', target: '#iteration.stream', actions: 'beginRound' },
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
              description: 'The strategy is told how the run ended.',
              invoke: { id: 'strategy', src: 'endStrategy' },
              on: { 'strategy.ended': { target: 'ended', actions: 'noteFact' } },
            },
            // generated from the turn chart by npm run docs: decide.ending.ended
            ended: {
              description: 'Enters the ending that the decision named.',
              always: [
                { description: 'The work is done.', guard: 'endsInSuccess', target: '#iteration.success' },
                { description: 'A cap was reached.', guard: 'endsInCapHit', target: '#iteration.cap_hit' },
                { description: 'The loop repeated itself.', guard: 'endsInDoomLoop', target: '#iteration.doom_loop' },
                { description: 'A budget ran out.', guard: 'endsInBudget', target: '#iteration.budget' },
                { description: 'The run was aborted.', guard: 'endsInAbort', target: '#iteration.abort' },
              ],
            },
          },
        },
        // end of generated
      },
    },
    success: { description: 'Finished, and verified if checks are configured.', type: 'final' },
    cap_hit: { description: 'Iterations or wall time ran out.', type: 'final' },
    doom_loop: { description: 'The attempts repeated themselves, or stopped making progress.', type: 'final' },
    budget: { description: 'Tokens ran out.', type: 'final' },
    abort: { description: 'Stopped by a user, a signal or an error.', type: 'final' },
  },
});
