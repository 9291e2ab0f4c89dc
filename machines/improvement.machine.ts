// The improvement loop: finds what could be better, tries it in a worktree of its own, measures it, and keeps what is
// proven, iteration after iteration. `stream` discovers and filters, `tools` experiments, `verify` evaluates, `decide`
// judges, integrates, and asks a person.
//
// Over 300 lines because editors of charts read only literals: what all loops share is written in each, and generated.
import { type AnyEventObject, assign, enqueueActions, fromCallback, setup, stopChild } from 'xstate';
import type { ImprovementEvent, Recorded } from './events.ts';
import * as lanes from './improvement-lanes.ts';
import * as progress from './improvement-progress.ts';
import * as life from './life.ts';

/** A name for an effect that the host executes. Its results are events; folding never runs it. */
const external = fromCallback<AnyEventObject, { readonly [reference: string]: string } | undefined>(() => {});

export const improvement = setup({
  types: {
    context: {} as progress.ImprovementContext,
    events: {} as Recorded<ImprovementEvent>,
    input: {} as life.Opening | undefined,
  },
  actors: {
    discover: external,
    filterDiscoveries: external,
    admitExperiment: external,
    writePlans: external,
    prepareExperiment: external,
    runAgent: external,
    evaluateCandidate: external,
    askAboutIntegration: external,
    integrateCandidate: external,
    takeBaseline: external,
    judge: external,
    endStrategy: external,
    summarise: external,
    timer: external,
  },
  guards: {
    goesOn: ({ context, event }) =>
      life.goesOn({ context, event }) &&
      context.iterations < life.mostRounds(context.limits.maxIterations, context.limits),
    triesNext: ({ context, event }) => life.goesOn({ context, event }) && progress.hasNext(context),
    needsBaseline: life.needsBaseline,
    ends: life.ends,
    mayWarn: life.mayWarn,
    isPending: progress.isPending,
    isUndecided: life.isUndecided,
    nothingPending: life.nothingPending,
    isNextIteration: ({ context, event }) =>
      context.isBeginning &&
      !progress.hasNext(context) &&
      event.type === 'iteration.started' &&
      event.payload.iteration === context.iterations,
    isNextCandidate: ({ context, event }) =>
      context.isBeginning && progress.hasNext(context) && lanes.isNext({ context, event }),
    isNext: lanes.isNext,
    startsAnother: lanes.startsAnother,
    foundSome: ({ event }) => event.type === 'discovery.completed' && event.payload.discoveries.length > 0,
    needsPlans: ({ context }) => !context.isBeginning && (context.witnesses || context.phases.experiment.useBatchAPI),
    hasBegun: ({ context }) => !context.isBeginning,
    isUnpreparedOne: lanes.isUnpreparedOne,
    isUnprepared: ({ context }) => lanes.unprepared(context) !== undefined,
    firstIsBuilt: ({ context }) => context.lanes[0]?.phase === 'built',
    firstHasFailed: ({ context }) => context.lanes[0]?.phase === 'failed',
    noneIsLeft: ({ context }) => context.lanes.length === 0,
    waitsForPersons: lanes.waitsForPersons,
    firstIsOver: ({ context }) => context.lanes[0]?.phase !== 'building',
    worksOn: ({ context }) => !life.onlyPersonsPending({ context }),
    childWorks: (on) => lanes.childIs(on, 'owed'),
    childWaits: (on) => lanes.childIs(on, 'waiting'),
    isOfCandidate: progress.isOfCandidate,
    mayNote: progress.mayNote,
    isAborted: lanes.isAborted,
    passed: progress.passed,
    stoppedAfterError: ({ context }) => life.nothingPending({ context }) && context.result !== null,
    stoppedAndAsks: ({ context }) => life.nothingPending({ context }) && context.asksPerson,
    isThatCandidate: progress.isThatCandidate,
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
    complete: assign((on) => progress.complete(on)),
    /** Experiments behind the first are stopped, and with an abort all. */
    cancelPending: enqueueActions(({ context, enqueue }) => {
      for (const actor of Object.keys(context.pending)) if (actor.startsWith('agent.')) enqueue.stopChild(actor);
      enqueue.assign(life.cancelAll({ context }));
      enqueue.assign(lanes.stopLanes({ context }));
    }),
    giveUp: assign(({ context, event }) => ({ pending: {}, ...life.countUsage({ context, event }) })),
    countUsage: assign((on) => life.countUsage(on)),
    noteAbort: assign((on) => life.noteAbort(on)),
    noteDeadline: assign({ deadlinePassed: true }),
    beginRound: assign((on) => life.beginRound(on)),
    noteDecision: assign((on) => life.noteDecision(on)),
    noteCapture: assign((on) => life.noteCapture(on)),
    startBaseline: assign(life.startBaseline),
    noteBaseline: assign((on) => life.noteBaseline(on)),
    noteVerification: assign((on) => life.noteVerification(on)),
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
    countIteration: assign((on) => progress.countIteration(on)),
    countExperiment: assign((on) => lanes.countExperiment(on)),
    beginWork: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'experiment.prepared') return;
      const { candidate } = event.payload;
      enqueue.assign(lanes.beginWork({ context, event }));
      enqueue.spawnChild('runAgent', { id: lanes.agentOf(candidate), input: { lane: candidate } });
    }),
    noteWork: assign((on) => lanes.noteWork(on)),
    dropLane: assign((on) => lanes.dropLane(on)),
    /** XState keeps a spawned child until it is stopped, and each one makes every event slower. */
    dismissExperiment: enqueueActions(({ event, enqueue }) => enqueue.stopChild(life.actorOf(event) ?? '')),
    markChildWaiting: assign((on) => lanes.markChild(on, 'waiting')),
    markChildRunning: assign((on) => lanes.markChild(on, 'owed')),
    beginEvaluation: assign((on) => lanes.beginEvaluation(on)),
    dropFirst: assign((on) => lanes.dropFirst(on)),
    noteError: assign((on) => lanes.noteError(on)),
    setAsideFilter: assign((on) => progress.setAsideFilter(on)),
    setAsidePlans: assign(({ context }) => progress.setAsidePlans(context)),
    noteDiscoveries: assign((on) => progress.noteDiscoveries(on)),
    noteCandidates: assign((on) => progress.noteCandidates(on)),
    reserveBatch: assign((on) => progress.reserveBatch(on)),
    noteExperiment: assign((on) => progress.noteExperiment(on)),
    noteExperimentAbort: assign((on) => progress.noteExperimentAbort(on)),
    noteMiss: assign((on) => progress.noteMiss(on)),
    countNote: assign((on) => progress.countNote(on)),
    noteBuilt: assign((on) => progress.noteBuilt(on)),
    noteIntegration: assign((on) => progress.noteIntegration(on)),
  },
}).createMachine({
  id: 'improvement',
  version: '1',
  description: 'Finds what could be better, tries it, and keeps what is proven, until a limit or a rule says stop.',
  context: ({ input }) => progress.born(input),
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
      description: 'An experiment waits for a user.',
      guard: 'childWorks',
      actions: 'markChildWaiting',
    },
    'child.answered': { description: 'An experiment continues.', guard: 'childWaits', actions: 'markChildRunning' },
    'child.settled': [
      {
        description: 'A user or a signal aborted it, and with it the loop.',
        guard: 'isAborted',
        target: '.decide.aborting',
        actions: ['complete', 'noteExperiment', 'noteExperimentAbort', 'dismissExperiment'],
      },
      {
        description: 'Every other ending, also of one that was stopped: its cost counts.',
        guard: 'isPending',
        actions: ['complete', 'noteExperiment', 'noteWork', 'dismissExperiment'],
      },
    ],
    'effect.interrupted': {
      description: 'An interrupted experiment has nothing to evaluate.',
      guard: 'isPending',
      actions: ['complete', 'countUsage', 'dropLane', 'dismissExperiment'],
    },
  },
  states: {
    stream: {
      description: 'Finds what could be better, and what of it is worth trying.',
      initial: 'discovering',
      states: {
        discovering: {
          description: 'Asks every source: tests, compilers, comments, lists, models.',
          entry: { type: 'awaitResult', params: { actor: 'discovery' } },
          invoke: { id: 'discovery', src: 'discover' },
          on: {
            'iteration.started': {
              description: 'Recorded together with the decision that started the iteration.',
              guard: 'isNextIteration',
              actions: 'countIteration',
            },
            'discovery.completed': [
              {
                description: 'What was found is weighed.',
                guard: 'foundSome',
                target: 'filtering',
                actions: ['complete', 'countUsage', 'noteDiscoveries'],
              },
              {
                description: 'Nothing new was found.',
                target: '#improvement.decide',
                actions: ['complete', 'countUsage', 'noteDiscoveries'],
              },
            ],
            'discovery.interrupted': {
              description: 'Interrupted: started again when the run continues.',
              target: 'discovering',
              reenter: true,
              actions: ['complete', 'countUsage'],
            },
          },
        },
        filtering: {
          description: 'Weighs what was found, and leaves out what is not worth an experiment.',
          entry: [{ type: 'awaitResult', params: { actor: 'filtering' } }, 'setAsideFilter'],
          invoke: { id: 'filtering', src: 'filterDiscoveries' },
          on: {
            'filter.completed': {
              description: 'The candidates, in the order in which they are tried.',
              target: '#improvement.decide',
              actions: ['complete', 'countUsage', 'noteCandidates'],
            },
            'filter.interrupted': {
              description: 'Interrupted: started again when the run continues.',
              target: 'filtering',
              reenter: true,
              actions: ['complete', 'countUsage'],
            },
          },
        },
      },
    },
    tools: {
      description: 'Tries candidates: one, or some at once.',
      initial: 'experimenting',
      on: {
        'experiment.started': {
          description: 'Recorded together with the decision for it.',
          guard: 'isNextCandidate',
          actions: 'countExperiment',
        },
      },
      states: {
        experimenting: {
          description: 'Plans, and for each candidate a worktree of its own and a child run that works in it.',
          initial: 'choosing',
          states: {
            choosing: {
              description: 'How many experiments begin at once, and whether they get plans.',
              always: [
                {
                  description: 'There is room beside those that have begun.',
                  guard: 'startsAnother',
                  target: 'admitting',
                },
                { description: 'Plans and acceptance tests are wanted.', guard: 'needsPlans', target: 'planning' },
                { description: 'Plans are not wanted.', guard: 'hasBegun', target: 'working' },
              ],
            },
            admitting: {
              description: 'Sets aside the share of another experiment.',
              invoke: { id: 'admission', src: 'admitExperiment' },
              on: {
                'experiment.started': {
                  description: 'It begins beside those before it.',
                  guard: 'isNext',
                  target: 'choosing',
                  actions: 'countExperiment',
                },
              },
            },
            planning: {
              description:
                'Asks a model for missing plans, and sees that acceptance tests fail on the head: of the experiments that begin, or of all in one batch.',
              entry: [{ type: 'awaitResult', params: { actor: 'planning' } }, 'setAsidePlans'],
              invoke: { id: 'planning', src: 'writePlans' },
              on: {
                'batch.submitted': {
                  description: 'Its result is waited for, also after a crash.',
                  guard: 'mayNote',
                  actions: ['countNote', 'reserveBatch'],
                },
                'plans.written': { target: 'working', actions: ['complete', 'countUsage'] },
                'plans.interrupted': {
                  description: 'Interrupted: started again when the run continues.',
                  target: 'planning',
                  reenter: true,
                  actions: ['complete', 'countUsage'],
                },
              },
            },
            working: {
              description: 'Experiments run side by side; the first in order of relevance is waited for.',
              always: [
                { description: 'Each needs a worktree before it begins.', guard: 'isUnprepared', target: 'preparing' },
                {
                  description: 'What the first has made is evaluated, while later ones run on.',
                  guard: 'firstIsBuilt',
                  target: '#improvement.verify.evaluating',
                  actions: 'beginEvaluation',
                },
                {
                  description: 'An error ends the iteration.',
                  guard: 'firstHasFailed',
                  target: 'stopping',
                  actions: 'noteError',
                },
                {
                  description: 'None of them is kept: the next candidate is tried.',
                  guard: 'noneIsLeft',
                  target: '#improvement.decide',
                  actions: 'noteMiss',
                },
                {
                  description: 'Only answers of users are pending.',
                  guard: 'waitsForPersons',
                  target: 'awaitingPerson',
                },
              ],
            },
            preparing: {
              description: 'Makes a worktree, with the files that the loop has integrated so far.',
              entry: { type: 'awaitResult', params: { actor: 'preparing' } },
              invoke: { id: 'preparing', src: 'prepareExperiment' },
              on: {
                'experiment.prepared': {
                  description: 'Its run begins.',
                  guard: 'isUnpreparedOne',
                  target: 'working',
                  actions: ['complete', 'beginWork'],
                },
                'experiment.refused': {
                  description: 'It cannot be tried.',
                  guard: 'isUnpreparedOne',
                  target: 'working',
                  actions: ['complete', 'dropLane'],
                },
                'preparation.interrupted': {
                  description: 'Interrupted: started again when the run continues.',
                  target: 'preparing',
                  reenter: true,
                  actions: 'complete',
                },
              },
            },
            awaitingPerson: {
              description: 'Only answers of users are pending: the clock stands still.',
              entry: ['startWaiting', 'holdDeadline'],
              exit: ['leaveOutWaiting', 'restartDeadline'],
              always: [
                { description: 'The first is over.', guard: 'firstIsOver', target: 'working' },
                { description: 'An experiment works on.', guard: 'worksOn', target: 'working' },
              ],
              on: {
                'run.resumed': {
                  description: 'The idle time is part of the wait: the clock stands still.',
                  actions: 'noteFact',
                },
              },
            },
            stopping: {
              description: 'The first is decided: those behind it are stopped, and their cost counts.',
              entry: 'cancelPending',
              always: [
                {
                  description: 'It had failed by an error.',
                  guard: 'stoppedAfterError',
                  target: '#improvement.decide',
                },
                {
                  description: 'It has passed, and a person decides.',
                  guard: 'stoppedAndAsks',
                  target: '#improvement.decide.awaitingPerson',
                },
                {
                  description: 'It has passed.',
                  guard: 'nothingPending',
                  target: '#improvement.decide.integrating',
                },
              ],
            },
          },
        },
      },
    },
    verify: {
      description: 'Evaluates what an experiment has made.',
      initial: 'evaluating',
      states: {
        // generated from the turn chart by npm run docs: verify.baseline
        baseline: {
          description: 'Runs all checks on the tree that the run begins with.',
          entry: { type: 'awaitResult', params: { actor: 'checks' } },
          invoke: { id: 'checks', src: 'takeBaseline' },
          on: {
            'baseline.taken': { target: '#improvement.decide', actions: ['complete', 'noteBaseline'] },
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
        evaluating: {
          description: 'Tier after tier, the cheapest first, up to the first that refuses it.',
          entry: { type: 'awaitResult', params: { actor: 'evaluation' } },
          invoke: { id: 'evaluation', src: 'evaluateCandidate' },
          on: {
            'candidate.built': {
              description: 'The tree that the experiment has left.',
              guard: 'mayNote',
              actions: ['countNote', 'noteBuilt'],
            },
            'tier.completed': { description: 'What one tier said.', guard: 'mayNote', actions: 'countNote' },
            'verification.completed': {
              description: 'What the checks said.',
              guard: 'mayNote',
              actions: ['countNote', 'noteVerification'],
            },
            'evaluation.completed': [
              {
                description: 'It has won.',
                guard: 'passed',
                target: '#improvement.tools.experimenting.stopping',
                actions: ['complete', 'countUsage'],
              },
              {
                description: 'A tier refused it: it is the turn of the next one.',
                guard: 'isOfCandidate',
                target: '#improvement.tools.experimenting.working',
                actions: ['complete', 'countUsage', 'dropFirst'],
              },
            ],
            'evaluation.interrupted': {
              description: 'Interrupted: started again when the run continues.',
              target: 'evaluating',
              reenter: true,
              actions: ['complete', 'countUsage'],
            },
          },
        },
      },
    },
    decide: {
      description: 'Decides whether the run continues or ends, and why; keeps what has passed.',
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
                target: '#improvement.verify.baseline',
                actions: 'startBaseline',
              },
              {
                description: 'The next candidate.',
                guard: 'triesNext',
                target: '#improvement.tools',
                actions: 'beginRound',
              },
              {
                description: 'Another iteration.',
                guard: 'goesOn',
                target: '#improvement.stream',
                actions: 'beginRound',
              },
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
        integrating: {
          description:
            'Brings the change into the tree of the loop, checks it there, and takes it back where that fails.',
          entry: { type: 'awaitResult', params: { actor: 'integration' } },
          invoke: { id: 'integration', src: 'integrateCandidate' },
          on: {
            'workspace.failed': {
              description: 'It cannot be captured: the integration says so.',
              guard: 'mayNote',
              actions: 'countNote',
            },
            'workspace.captured': {
              description: 'The tree of the loop, with the change.',
              guard: 'mayNote',
              actions: ['countNote', 'noteCapture'],
            },
            'baseline.taken': {
              description: 'The checks on it: what the next iteration begins with.',
              guard: 'mayNote',
              actions: ['countNote', 'noteBaseline'],
            },
            'integration.completed': {
              description: 'It is an improvement: the iteration is over.',
              guard: 'isOfCandidate',
              target: 'judging',
              actions: ['complete', 'countUsage', 'noteIntegration'],
            },
            'integration.failed': {
              description: 'It was taken back: the next candidate is tried.',
              guard: 'isOfCandidate',
              target: 'judging',
              actions: ['complete', 'countUsage', 'noteMiss'],
            },
            'integration.interrupted': {
              description: 'Interrupted: started again when the run continues.',
              target: 'integrating',
              reenter: true,
              actions: ['complete', 'countUsage'],
            },
          },
        },
        awaitingPerson: {
          description: 'A person decides whether the change is kept: the clock stands still.',
          entry: [{ type: 'ask', params: { actor: 'integrationRuling' } }, 'startWaiting', 'holdDeadline'],
          exit: ['leaveOutWaiting', 'restartDeadline'],
          invoke: { id: 'integrationRuling', src: 'askAboutIntegration' },
          on: {
            'integration.approved': {
              description: 'Exactly this change is kept.',
              guard: 'isThatCandidate',
              target: 'integrating',
              actions: 'complete',
            },
            'integration.denied': {
              description: 'It is not kept: the next candidate is tried.',
              guard: 'isThatCandidate',
              target: 'judging',
              actions: ['complete', 'noteMiss'],
            },
            'run.resumed': {
              description: 'The idle time is part of the wait: the clock stands still.',
              actions: 'noteFact',
            },
            'approval.interrupted': {
              description: 'Interrupted: asked again when the run continues.',
              target: 'awaitingPerson',
              reenter: true,
              actions: 'complete',
            },
          },
        },
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
            'discovery.completed': {
              guard: 'isPending',
              actions: ['complete', 'countUsage'],
            },
            'discovery.interrupted': {
              guard: 'isPending',
              actions: ['complete', 'countUsage'],
            },
            'filter.completed': {
              guard: 'isPending',
              actions: ['complete', 'countUsage'],
            },
            'filter.interrupted': {
              guard: 'isPending',
              actions: ['complete', 'countUsage'],
            },
            'plans.written': {
              guard: 'isPending',
              actions: ['complete', 'countUsage'],
            },
            'plans.interrupted': {
              guard: 'isPending',
              actions: ['complete', 'countUsage'],
            },
            'experiment.prepared': {
              guard: 'isPending',
              actions: 'complete',
            },
            'experiment.refused': {
              guard: 'isPending',
              actions: 'complete',
            },
            'preparation.interrupted': {
              guard: 'isPending',
              actions: 'complete',
            },
            'baseline.taken': { guard: 'isPending', actions: ['complete', 'noteBaseline'] },
            'evaluation.completed': {
              guard: 'isPending',
              actions: ['complete', 'countUsage'],
            },
            'evaluation.interrupted': {
              guard: 'isPending',
              actions: ['complete', 'countUsage'],
            },
            'approval.interrupted': {
              guard: 'isPending',
              actions: 'complete',
            },
            'integration.completed': {
              description: 'It was too far to stop: the change is kept.',
              guard: 'isPending',
              actions: ['complete', 'countUsage', 'noteIntegration'],
            },
            'integration.failed': {
              guard: 'isPending',
              actions: ['complete', 'countUsage'],
            },
            'integration.interrupted': {
              guard: 'isPending',
              actions: ['complete', 'countUsage'],
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
                { description: 'The work is done.', guard: 'endsInSuccess', target: '#improvement.success' },
                { description: 'A cap was reached.', guard: 'endsInCapHit', target: '#improvement.cap_hit' },
                { description: 'The loop repeated itself.', guard: 'endsInDoomLoop', target: '#improvement.doom_loop' },
                { description: 'A budget ran out.', guard: 'endsInBudget', target: '#improvement.budget' },
                { description: 'The run was aborted.', guard: 'endsInAbort', target: '#improvement.abort' },
              ],
            },
          },
        },
        // end of generated
      },
    },
    success: { description: 'At least one improvement was kept.', type: 'final' },
    cap_hit: { description: 'Iterations or wall time ran out before an improvement was kept.', type: 'final' },
    doom_loop: { description: 'Nothing more was to be improved, or nothing that was tried passed.', type: 'final' },
    budget: { description: 'The budget ran out.', type: 'final' },
    abort: { description: 'Stopped by a user, a signal or an error.', type: 'final' },
  },
});
