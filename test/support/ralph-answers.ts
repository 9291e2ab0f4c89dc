import type { LoopEvent } from '../../machines/events.ts';
import type { RalphContext } from '../../machines/ralph.machine.ts';
import { mostIterations, nextMaximum } from '../../machines/ralph-numbers.ts';
import type { StateChanges, StateEdit } from '../../machines/ralph-facts.ts';
import type { Outstanding, RunState } from '../../src/kernel/fold.ts';

// What the environment may answer to the effects of a Ralph loop: the file is as it was left, edited, or damaged.

/** An edit by a person, which counts at once. */
export const edit = (changes: StateChanges, more: Partial<StateEdit> = {}): StateEdit => ({
  digest: 'edited',
  changes,
  by: 'person',
  held: false,
  ...more,
});

// Few, because each number leads to states of its own, and a search looks at all of them.
const edits: readonly StateEdit[] = [
  edit({ originalPrompt: 'something else', completionPromise: null }),
  edit({ maxIterations: 1 }, { by: 'unknown' }),
];
const held = { by: 'unknown', held: true } as const;
// A search for paths takes the first: it leaves no iteration, and is held for its prompt.
const heldEdits: readonly StateEdit[] = [
  edit({ maxIterations: 1, iteration: 2, originalPrompt: 'something else' }, { ...held, digest: 'held' }),
  edit({ maxIterations: 3, iteration: 2 }, held),
];
const stoppingEdits: readonly StateEdit[] = [
  edit({ active: false }, { reason: 'enough' }),
  edit({ active: false }, { by: 'unknown' }),
];

export const fileEdited = (one: StateEdit): LoopEvent => ({ type: 'state_file.edited', payload: { edit: one } });
export const fileRevisited = (one: StateEdit | null): LoopEvent => ({
  type: 'state_file.revisited',
  payload: { edit: one },
});
export const fileWritten: LoopEvent = { type: 'state_file.written', payload: { digest: 'written', was: 'absent' } };
export const fileKept: LoopEvent = { type: 'state_file.kept', payload: { isMissing: false } };
const fileDamaged: LoopEvent = {
  type: 'state_file.damaged',
  payload: { line: 3, reason: 'iteration: expected a whole number' },
};
/** Answers no effect: it comes before a pause or a wait. */
export const fileNoticed: LoopEvent = {
  type: 'state_file.noticed',
  payload: { edit: edit({ originalPrompt: 'something else' }, held) },
};
const fileClosed: LoopEvent = { type: 'state_file.closed', payload: { digest: 'closed', reason: 'done' } };
const superseded: LoopEvent = { type: 'state_file.superseded', payload: { digest: 'late', changes: {} } };
export const ruled = (type: 'edit.approved' | 'edit.denied', digest: string): LoopEvent => ({
  type,
  payload: { digest, reason: null },
});

/** Often enough that a random walk comes to wait for a person. */
const damages = Array.from({ length: 8 }, () => fileDamaged);
const everyEdit = [...edits, ...heldEdits, ...stoppingEdits].map(fileEdited);

/** Throws for an effect that a Ralph loop does not have. */
export function ralphAnswers(actor: string, input: Outstanding['input'], state: RunState): readonly LoopEvent[] {
  const context = state.snapshot.context as RalphContext;
  switch (actor) {
    case 'writeStateFile':
      return [...Array.from({ length: 24 }, () => fileWritten), ...everyEdit, ...damages];
    case 'readStateFile':
      return input['purpose'] === 'glance'
        ? [fileRevisited(null), ...[...edits, ...stoppingEdits].map(fileRevisited)]
        : [...Array.from({ length: 24 }, () => fileKept), ...everyEdit, ...damages];
    case 'closeStateFile':
      return [fileClosed, fileClosed, superseded];
    case 'askPerson':
      return (['edit.approved', 'edit.denied'] as const).map((type) => ruled(type, context.edit?.digest ?? ''));
    case 'weighMaximum':
      return [
        {
          type: 'maximum.raised',
          payload: { from: mostIterations(context), to: nextMaximum(context), because: 'more checks passed' },
        },
        { type: 'maximum.held', payload: { because: 'no more checks passed' } },
      ];
    default:
      throw new Error(`this environment has no answers for ${actor}`);
  }
}

/** Every kind of answer, to effects that no run has asked for. */
export const ralphNoise: readonly LoopEvent[] = [
  ...everyEdit,
  ...[null, ...edits, ...stoppingEdits].map(fileRevisited),
  fileWritten,
  fileKept,
  fileDamaged,
  fileClosed,
  superseded,
  ruled('edit.approved', 'digest of nothing'),
  ruled('edit.denied', 'digest of nothing'),
  { type: 'edit.withdrawn', payload: { reason: 'told to stop' } },
  { type: 'state_file.interrupted', payload: { reason: 'told to stop' } },
  { type: 'maximum.raised', payload: { from: 1, to: 99, because: 'it says so' } },
  { type: 'maximum.held', payload: { because: 'it says so' } },
];
