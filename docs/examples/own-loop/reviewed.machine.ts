import { addSpend, type Life, lifeFor, type Opening } from 'loopfold/machines';
import { type AnyEventObject, assign, enqueueActions, fromCallback, setup } from 'xstate';
import type { RecordedEvent, ReviewedEvent } from './reviewed.events.ts';

export interface ReviewedContext extends Life {
  /** Iterations started. */
  readonly iterations: number;
  /** How the newest attempt ended. Only one that succeeded is verified. */
  readonly attempt: { readonly version: number; readonly succeeded: boolean } | null;
  /** What the reviewer said of it. */
  readonly review: { readonly version: number; readonly approved: boolean } | null;
}

const life = lifeFor<ReviewedEvent>();

/** Named here, performed by a host. It answers with events. */
const external = fromCallback<AnyEventObject, { readonly [reference: string]: string } | undefined>(() => {});

// Over 300 lines because an editor of charts reads only literals.
export const reviewed = setup({
  types: {
    context: {} as ReviewedContext,
    events: {} as RecordedEvent,
    input: {} as Opening | undefined,
  },
  actors: {
    runAgent: external,
    captureWorkspace: external,
    verifyWork: external,
    askReviewer: external,
    judge: external,
    endStrategy: external,
    summarise: external,
    timer: external,
  },
  guards: {
    goesOn: ({ context, event }) =>
      life.goesOn({ context, event }) && context.iterations < life.mostRounds(context.limits.maxIterations, context.limits),
    ends: life.ends,
    mayWarn: life.mayWarn,
    isOwed: life.isOwed,
    isUndecided: life.isUndecided,
    nothingOwed: life.nothingOwed,
    attemptToVerify: ({ context }) => context.attempt?.succeeded === true && context.hasChecks,
    attemptToReview: ({ context }) => context.attempt?.succeeded === true,
    checksPassed: ({ event }) => event.type === 'verification.completed' && event.payload.passed,
    attemptAborted: ({ context, event }) =>
      life.isOwed({ context, event }) && event.type === 'child.settled' && event.payload.outcome.ending === 'abort',
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
    owe: assign((on, params: { actor: string }) => life.owe(on, params)),
    settle: assign((on, params: { actor: string } | undefined) => life.settle(on, params)),
    /** What a review may use at most is there for nothing else meanwhile. */
    setAside: assign((on, params: { actor: string; tokens: number }) => life.setAside(on, params)),
    tellOwing: assign((on) => life.tellAll(on)),
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
    /** A new attempt changes the work, so what was said of the last one no longer holds. */
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
        ? { ...life.countUsage({ context, event }), review: { version: event.version, approved: event.payload.approved } }
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
    'abort.requested': {
      description: 'Whatever is under way is told to stop; its last results are awaited.',
      target: '.decide.aborting',
      actions: 'noteAbort',
    },
    'timer.fired': {
      description: 'The wall-clock limit strikes in the middle of anything.',
      guard: 'deadlineFired',
      target: '.decide.aborting',
      actions: ['holdDeadline', 'noteDeadline'],
    },
    'run.paused': { description: 'Nothing new starts until the run is resumed.', actions: 'noteFact' },
    'run.resumed': {
      description: 'The dead span before it counts for no limit.',
      actions: ['leaveOutIdle', 'restartDeadline'],
    },
    'run.steered': {
      description: 'A person says more about the task: the next attempt hears it.',
      guard: 'isUndecided',
      actions: 'noteSteering',
    },
    'warning.raised': { description: 'For people to read.', guard: 'mayWarn', actions: 'countWarning' },
  },
  states: {
    stream: {
      description: 'One whole attempt.',
      entry: { type: 'owe', params: { actor: 'agent' } },
      invoke: { id: 'agent', src: 'runAgent' },
      on: {
        'iteration.started': {
          description: 'Recorded together with the decision that started the iteration.',
          guard: 'isNextIteration',
          actions: 'countIteration',
        },
        'child.settled': [
          {
            description: 'A person or an error aborted the attempt: the loop ends with it.',
            guard: 'attemptAborted',
            target: 'decide',
            actions: ['settle', 'noteAttempt', 'noteAttemptAbort'],
          },
          { description: 'However it ended: its work counts.', guard: 'isOwed', target: 'tools', actions: ['settle', 'noteAttempt'] },
        ],
        'effect.interrupted': {
          description: 'An attempt cut short is a failed one; what it left behind is looked at.',
          guard: 'isOwed',
          target: 'tools',
          actions: ['settle', 'countUsage', 'noteLostAttempt'],
        },
      },
    },
    tools: {
      description: 'The workspace is captured: what did the attempt change?',
      entry: { type: 'owe', params: { actor: 'capture' } },
      invoke: { id: 'capture', src: 'captureWorkspace' },
      on: {
        'workspace.captured': { target: 'verify', actions: ['settle', 'noteCapture'] },
        'workspace.failed': { target: 'decide', actions: ['settle', 'noteFault'] },
        'effect.interrupted': {
          description: 'Cut short: begun again as soon as the run goes on.',
          guard: 'isOwed',
          target: 'tools',
          reenter: true,
          actions: 'settle',
        },
      },
    },
    verify: {
      description: 'First what can be checked, then what takes a reader.',
      initial: 'choosing',
      states: {
        choosing: {
          description: 'An attempt that failed is neither checked nor read.',
          always: [
            { description: 'It succeeded, and there is something to check it with.', guard: 'attemptToVerify', target: 'checking' },
            { description: 'It succeeded, and nothing checks it.', guard: 'attemptToReview', target: 'reviewing' },
            { description: 'It failed.', target: '#reviewed.decide' },
          ],
        },
        checking: {
          description: 'The checks run on the captured workspace.',
          entry: { type: 'owe', params: { actor: 'checks' } },
          invoke: { id: 'checks', src: 'verifyWork' },
          on: {
            'verification.completed': [
              {
                description: 'Only work that passes its checks is worth reading.',
                guard: 'checksPassed',
                target: 'reviewing',
                actions: ['settle', 'noteVerification'],
              },
              { description: 'It failed them.', target: '#reviewed.decide', actions: ['settle', 'noteVerification'] },
            ],
            'effect.interrupted': {
              description: 'Cut short: begun again as soon as the run goes on.',
              guard: 'isOwed',
              target: 'checking',
              reenter: true,
              actions: 'settle',
            },
          },
        },
        reviewing: {
          description: 'A reviewer reads what the attempt has changed.',
          entry: [
            { type: 'owe', params: { actor: 'review' } },
            { type: 'setAside', params: { actor: 'review', tokens: 8_000 } },
          ],
          invoke: { id: 'review', src: 'askReviewer' },
          on: {
            'review.given': {
              target: '#reviewed.decide',
              actions: [{ type: 'settle', params: { actor: 'review' } }, 'noteReview'],
            },
            'review.failed': {
              target: '#reviewed.decide',
              actions: [{ type: 'settle', params: { actor: 'review' } }, 'countUsage', 'noteFault'],
            },
            'review.interrupted': {
              description: 'Cut short: asked again as soon as the run goes on.',
              target: 'reviewing',
              reenter: true,
              actions: [{ type: 'settle', params: { actor: 'review' } }, 'countUsage'],
            },
          },
        },
      },
    },
    decide: {
      description: 'Go on, or end, and why.',
      initial: 'judging',
      states: {
        judging: {
          description: 'The judge reads what was checked and reviewed; its verdict is recorded.',
          invoke: { id: 'judge', src: 'judge' },
          on: {
            'decision.made': [
              { description: 'Another attempt.', guard: 'goesOn', target: '#reviewed.stream', actions: 'beginRound' },
              { description: 'The run ends, as the decision says.', guard: 'ends', target: 'ending', actions: 'noteDecision' },
            ],
            'run.continued': {
              description: 'A continuation asks the judge again, under other limits.',
              target: 'judging',
              reenter: true,
              actions: ['continueUnder', 'restartDeadline'],
            },
          },
        },
        aborting: {
          description: 'What was told to stop answers, or the grace runs out.',
          entry: ['tellOwing', 'startGrace'],
          invoke: { id: 'grace', src: 'timer', input: { timer: 'grace' } },
          always: { guard: 'nothingOwed', target: 'judging' },
          on: {
            'abort.requested': { description: 'A second abort buys no more grace.', actions: 'noteAbort' },
            'timer.fired': [
              {
                description: 'Who has not answered by now is waited for no longer.',
                guard: 'graceFired',
                target: 'judging',
                actions: 'giveUp',
              },
              {
                description: 'The deadline buys no more grace either.',
                guard: 'deadlineFired',
                actions: ['holdDeadline', 'noteDeadline'],
              },
            ],
            'child.settled': { guard: 'isOwed', actions: ['settle', 'noteAttempt'] },
            'workspace.captured': { guard: 'isOwed', actions: ['settle', 'noteCapture'] },
            'workspace.failed': { guard: 'isOwed', actions: 'settle' },
            'verification.completed': { guard: 'isOwed', actions: ['settle', 'noteVerification'] },
            'review.given': {
              guard: { type: 'isOwed', params: { actor: 'review' } },
              actions: [{ type: 'settle', params: { actor: 'review' } }, 'noteReview'],
            },
            'review.failed': {
              guard: { type: 'isOwed', params: { actor: 'review' } },
              actions: [{ type: 'settle', params: { actor: 'review' } }, 'countUsage'],
            },
            'review.interrupted': {
              guard: { type: 'isOwed', params: { actor: 'review' } },
              actions: [{ type: 'settle', params: { actor: 'review' } }, 'countUsage'],
            },
            'effect.interrupted': { guard: 'isOwed', actions: ['settle', 'countUsage'] },
          },
        },
        ending: {
          description: 'Last words, under a time limit. Nothing changes the verdict now.',
          initial: 'summarising',
          entry: 'startEnding',
          invoke: { id: 'ending', src: 'timer', input: { timer: 'ending' } },
          on: {
            'abort.requested': { description: 'Too late: the verdict stands.' },
            'timer.fired': [
              { description: 'The time for the last words is over.', guard: 'endingFired', target: '.ended' },
              { description: 'No other clock changes the verdict.' },
            ],
          },
          states: {
            summarising: {
              description: 'What was reached and which limit was hit, in words.',
              invoke: { id: 'summary', src: 'summarise', input: { purpose: 'ending' } },
              on: { 'summary.written': { target: 'farewell', actions: ['settle', 'countUsage'] } },
            },
            farewell: {
              description: 'The strategy hears how it ended.',
              invoke: { id: 'strategy', src: 'endStrategy' },
              on: { 'strategy.ended': { target: 'ended', actions: 'noteFact' } },
            },
            ended: {
              description: 'Leads to the ending that the decision named.',
              always: [
                { description: 'The work is done.', guard: 'endsInSuccess', target: '#reviewed.success' },
                { description: 'A cap was reached.', guard: 'endsInCapHit', target: '#reviewed.cap_hit' },
                { description: 'It went in circles.', guard: 'endsInDoomLoop', target: '#reviewed.doom_loop' },
                { description: 'A budget ran out.', guard: 'endsInBudget', target: '#reviewed.budget' },
                { description: 'It was stopped.', guard: 'endsInAbort', target: '#reviewed.abort' },
              ],
            },
          },
        },
      },
    },
    success: { description: 'Approved by the reviewer.', type: 'final' },
    cap_hit: { description: 'Iterations or wall time ran out.', type: 'final' },
    doom_loop: { description: 'The attempts went in circles.', type: 'final' },
    budget: { description: 'Tokens ran out.', type: 'final' },
    abort: { description: 'A person, a signal or an uncured error.', type: 'final' },
  },
});
