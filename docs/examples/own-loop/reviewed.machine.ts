// Whole attempts, each checked and then reviewed, until a reviewer approves or a limit says stop.
//
// Over 300 lines because editors of charts read only literals: what all loops share is written out here, and generated.
import { addSpend, type Life, lifeFor, type Opening } from 'loopfold/machines';
import { type AnyEventObject, assign, enqueueActions, fromCallback, setup } from 'xstate';
import type { RecordedEvent, ReviewedEvent } from './reviewed.events.ts';

export interface ReviewedContext extends Life {
  /** Iterations started. */
  readonly iterations: number;
  /** How the newest attempt ended. Only a successful one is verified. */
  readonly attempt: { readonly version: number; readonly succeeded: boolean } | null;
  /** The reviewer's answer about it. */
  readonly review: { readonly version: number; readonly approved: boolean } | null;
}

const life = lifeFor<ReviewedEvent>();

/** A name for an effect that the host executes. Its results are events. */
const external = fromCallback<AnyEventObject, { readonly [reference: string]: string } | undefined>(() => {});

export const reviewed = setup({
  types: {
    context: {} as ReviewedContext,
    events: {} as RecordedEvent,
    input: {} as Opening | undefined,
  },
  actors: {
    runAgent: external,
    captureWorkspace: external,
    takeBaseline: external,
    verifyWork: external,
    askReviewer: external,
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
    nothingPending: life.nothingPending,
    attemptToVerify: ({ context }) => context.attempt?.succeeded === true && context.hasChecks,
    attemptToReview: ({ context }) => context.attempt?.succeeded === true,
    checksPassed: ({ event }) => event.type === 'verification.completed' && event.payload.passed,
    attemptAborted: ({ context, event }) =>
      life.isPending({ context, event }) && event.type === 'child.settled' && event.payload.outcome.ending === 'abort',
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
    complete: assign((on, params: { actor: string } | undefined) => life.complete(on, params)),
    /** Reserves the most that a review may use, so that nothing else spends it meanwhile. */
    setAside: assign((on, params: { actor: string; tokens: number }) => life.setAside(on, params)),
    cancelPending: assign((on) => life.cancelAll(on)),
    giveUp: assign(({ context, event }) => {
      if (life.usageOf(event)) return { pending: {}, ...life.countUsage({ context, event }) };
      const isLost = 'agent' in context.pending && !('agent' in context.reserved);
      return { pending: {}, spend: isLost ? life.spentOut(context) : context.spend };
    }),
    countUsage: assign((on) => life.countUsage(on)),
    noteAbort: assign((on) => life.noteAbort(on)),
    noteDeadline: assign({ deadlinePassed: true }),
    beginRound: assign(() => life.beginRound()),
    noteDecision: assign((on) => life.noteDecision(on)),
    noteFault: assign((on) => life.noteFault(on)),
    noteCapture: assign((on) => life.noteCapture(on)),
    startBaseline: assign(() => life.startBaseline()),
    noteBaseline: assign((on) => life.noteBaseline(on)),
    noteVerification: assign((on) => life.noteVerification(on)),
    noteFact: assign(() => ({})),
    noteSteering: assign((on) => life.noteSteering(on)),
    countWarning: assign((on) => life.countWarning(on)),
    continueUnder: assign((on) => life.continueUnder(on)),
    leaveOutIdle: assign((on) => life.leaveOutIdle(on)),
    startGrace: assign((on) => life.startGrace(on)),
    startEnding: assign((on) => life.startEnding(on)),
    holdDeadline: enqueueActions(({ enqueue }) => enqueue.stopChild('deadline')),
    restartDeadline: enqueueActions(({ context, enqueue }) => {
      if (context.deadlinePassed) return;
      enqueue.stopChild('deadline');
      enqueue.spawnChild('timer', { id: 'deadline', input: { timer: 'deadline' } });
    }),
    /** A new attempt changes the work, so verification and review of the last one no longer hold. */
    countIteration: assign(({ context, event }) => ({
      ...life.reserveFor(context, 'agent', event.type === 'iteration.started' ? event.payload.reserved : undefined),
      iterations: context.iterations + 1,
      attempt: null,
      verification: null,
      review: null,
      isBeginning: false,
      warnings: 0,
      steered: null,
    })),
    noteAttempt: assign(({ context, event }) => {
      if (event.type !== 'child.settled') return {};
      const { outcome, spend } = event.payload;
      return {
        attempt: { version: event.version, succeeded: outcome.ending === 'success' },
        spend: addSpend(context.spend, spend),
      };
    }),
    noteLostAttempt: assign(({ event }) => ({ attempt: { version: event.version, succeeded: false } })),
    noteAttemptAbort: assign(({ event }) => {
      if (event.type !== 'child.settled' || event.payload.outcome.ending !== 'abort') return {};
      const { cause, fault } = event.payload.outcome;
      return fault
        ? { fault: { fault, version: event.version } }
        : { abort: { cause, reason: null, version: event.version } };
    }),
    noteReview: assign(({ context, event }) =>
      event.type === 'review.given'
        ? {
            ...life.countUsage({ context, event }),
            review: { version: event.version, approved: event.payload.approved },
          }
        : {},
    ),
  },
}).createMachine({
  id: 'reviewed',
  version: '1',
  description: 'Whole attempts, each checked and then reviewed, until a reviewer approves or a limit says stop.',
  context: ({ input }) => ({ ...life.born(input), iterations: 0, attempt: null, review: null }),
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
      description: 'Runs one whole attempt.',
      entry: { type: 'awaitResult', params: { actor: 'agent' } },
      invoke: { id: 'agent', src: 'runAgent' },
      on: {
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
      description: 'First the checks, then the review.',
      initial: 'choosing',
      states: {
        choosing: {
          description: 'Only an attempt that succeeded is checked and reviewed.',
          always: [
            {
              description: 'It succeeded, and there is something to check it with.',
              guard: 'attemptToVerify',
              target: 'checking',
            },
            { description: 'It succeeded, and there are no checks.', guard: 'attemptToReview', target: 'reviewing' },
            { description: 'The attempt failed.', target: '#reviewed.decide' },
          ],
        },
        // generated from the turn chart by npm run docs: verify.baseline
        baseline: {
          description: 'Runs all checks on the tree that the run begins with.',
          entry: { type: 'awaitResult', params: { actor: 'checks' } },
          invoke: { id: 'checks', src: 'takeBaseline' },
          on: {
            'baseline.taken': { target: '#reviewed.decide', actions: ['complete', 'noteBaseline'] },
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
                description: 'Only work that passes its checks is reviewed.',
                guard: 'checksPassed',
                target: 'reviewing',
                actions: ['complete', 'noteVerification'],
              },
              {
                description: 'The checks failed.',
                target: '#reviewed.decide',
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
        reviewing: {
          description: 'A reviewer looks at what the attempt has changed.',
          entry: [
            { type: 'awaitResult', params: { actor: 'review' } },
            { type: 'setAside', params: { actor: 'review', tokens: 8_000 } },
          ],
          invoke: { id: 'review', src: 'askReviewer' },
          on: {
            'review.given': {
              target: '#reviewed.decide',
              actions: [{ type: 'complete', params: { actor: 'review' } }, 'noteReview'],
            },
            'review.failed': {
              target: '#reviewed.decide',
              actions: [{ type: 'complete', params: { actor: 'review' } }, 'countUsage', 'noteFault'],
            },
            'review.interrupted': {
              description: 'Interrupted: asked again when the run continues.',
              target: 'reviewing',
              reenter: true,
              actions: [{ type: 'complete', params: { actor: 'review' } }, 'countUsage'],
            },
          },
        },
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
                target: '#reviewed.verify.baseline',
                actions: 'startBaseline',
              },
              { description: 'Another round.', guard: 'goesOn', target: '#reviewed.stream', actions: 'beginRound' },
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
            'review.given': {
              guard: { type: 'isPending', params: { actor: 'review' } },
              actions: [{ type: 'complete', params: { actor: 'review' } }, 'noteReview'],
            },
            'review.failed': {
              guard: { type: 'isPending', params: { actor: 'review' } },
              actions: [{ type: 'complete', params: { actor: 'review' } }, 'countUsage'],
            },
            'review.interrupted': {
              guard: { type: 'isPending', params: { actor: 'review' } },
              actions: [{ type: 'complete', params: { actor: 'review' } }, 'countUsage'],
            },
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
                { description: 'The work is done.', guard: 'endsInSuccess', target: '#reviewed.success' },
                { description: 'A cap was reached.', guard: 'endsInCapHit', target: '#reviewed.cap_hit' },
                { description: 'The loop repeated itself.', guard: 'endsInDoomLoop', target: '#reviewed.doom_loop' },
                { description: 'A budget ran out.', guard: 'endsInBudget', target: '#reviewed.budget' },
                { description: 'The run was aborted.', guard: 'endsInAbort', target: '#reviewed.abort' },
              ],
            },
          },
        },
        // end of generated
      },
    },
    success: { description: 'Approved by the reviewer.', type: 'final' },
    cap_hit: { description: 'Iterations or wall time ran out.', type: 'final' },
    doom_loop: { description: 'The attempts repeated themselves.', type: 'final' },
    budget: { description: 'Tokens ran out.', type: 'final' },
    abort: { description: 'Stopped by a user, a signal or an error.', type: 'final' },
  },
});
