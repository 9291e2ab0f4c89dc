import type { LoopEvent } from '../../../machines/events.ts';
import * as is from '../../support/facts.ts';
import * as has from './night-facts.ts';

const unit = has.discoveryOf('failing-tests-1', { title: 'Test fails: adds', file: 'test/sum.test.js' });
const item = has.discoveryOf('items-2', { title: 'The page loads faster', source: 'items', relevanceScore: 0.9 });
const large = has.discoveryOf('todos-3', { title: 'TODO: split the parser', source: 'todos', relevanceScore: 0.8 });
const gone = has.discoveryOf('items-4', { title: 'Use the new API', source: 'items', relevanceScore: 0.7 });

const witness = { kind: 'test', text: unit.title } as const;
const none = { kind: 'none', text: 'no acceptance test was written for it' } as const;
const acceptance = { kind: 'acceptance', text: 'test/parser.test.js: splits' } as const;

export const CUT = 'it was cut before it had finished, budget: 100,000 of 100,000 tokens; it said: half is done';
export const CANNOT = 'it cannot be done, its agent says: the API is gone';
const FINISHED = 'its agent has finished';

const ended = (id: string, detail: string, passed = true) => has.tier(id, 'ended', passed, { kind: 'ended', detail });
const tried = (id: string, more: Parameters<typeof has.preparedFor>[1]) => [
  is.decidedToGoOn,
  has.experimented(id),
  has.preparedFor(id, more),
  has.settled(10_000),
  has.built(id),
];

const first: readonly LoopEvent[] = [
  is.iterationStarted(0),
  has.discovered([], { discoveries: [large, item, unit] }),
  has.filtered([], { candidates: [large, item, unit] }),
  ...tried(large.id, { witness: acceptance }),
  ended(large.id, CUT),
  has.tier(large.id, 'L1/unit', false),
  has.evaluated(large.id, 'L1/unit', { cut: true }),
  ...tried(item.id, { witness: none }),
  ended(item.id, FINISHED),
  has.tier(item.id, 'witness', false, { kind: 'witness', detail: `not shown: ${none.text}` }),
  has.evaluated(item.id, 'witness', {
    reason: `not shown: ${none.text}`,
    grade: 'not regressed',
    because: none.text,
    apart: { branch: 'loopfold/night-items-2', commit: 'abad1dea'.padEnd(40, '0') },
  }),
  ...tried(unit.id, { witness }),
  ended(unit.id, FINISHED),
  has.tier(unit.id, 'witness', true, { kind: 'witness' }),
  has.evaluated(unit.id, null, { grade: 'witnessed', because: 'red before, and passes now: Test fails: adds' }),
  has.integrated(unit.id),
];

const second: readonly LoopEvent[] = [
  is.decidedToGoOn,
  is.iterationStarted(1),
  has.discovered([], { discoveries: [large, gone] }),
  has.filtered([], { candidates: [large, gone] }),
  ...tried(large.id, { witness: acceptance, continues: 'tree-todos-3' }),
  ended(large.id, FINISHED),
  has.tier(large.id, 'resolves', false),
  has.evaluated(large.id, 'resolves'),
  ...tried(gone.id, { witness: none }),
  ended(gone.id, CANNOT, false),
  has.evaluated(gone.id, 'ended', { reason: CANNOT }),
  {
    type: 'decision.made',
    payload: {
      action: 'stop',
      sink: {
        ending: 'success',
        verified: { version: 30, workspace: 'tree-failing-tests-1', grade: 'witnessed' },
        partial: false,
      },
      reason: '1 improvement kept; everything that was found has been tried',
      evidence: [],
    },
  },
  is.strategyEnded,
];

/**
 * A night whose candidates have named their witnesses: one change is kept, one is not shown, one experiment is cut and
 * goes on, and the agent of one says that it cannot be done.
 */
export const witnessedNight = (night: has.Night = {}): readonly LoopEvent[] => [
  has.nightStarted(night),
  ...first,
  ...second,
];

/** The same as far as the work was cut: it is still under way. */
export const cutNight = (): readonly LoopEvent[] => [
  has.nightStarted(),
  ...first.slice(0, first.findIndex(({ type }) => type === 'evaluation.completed') + 1),
];

/** A night in which a person approved what nothing shows. */
export const approvedNight = (): readonly LoopEvent[] => [
  has.nightStarted({ options: { phases: { integrate: { requireApproval: true } } } }),
  is.iterationStarted(0),
  has.discovered([], { discoveries: [item] }),
  has.filtered([], { candidates: [item] }),
  ...tried(item.id, { witness: none }),
  ended(item.id, FINISHED),
  has.tier(item.id, 'witness', false, { kind: 'witness', detail: none.text }),
  has.evaluated(item.id, null, { grade: 'not regressed', because: none.text }),
  has.integrated(item.id),
];
