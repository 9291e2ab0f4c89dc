import type { EventOf, LoopEvent } from '../../../../machines/events.ts';
import type { StateEdit } from '../../../../machines/ralph-facts.ts';
import { isOfRun, type Look, lookAt, type Looking } from '../state-look.ts';
import { warnAboveCeiling, warnExposed } from './state-file-place.ts';
import { repeatableExecution } from '../../shared/effects/execution.ts';
import type { Effect, EffectRequest, EffectWork } from '../../shared/effect.ts';
import type { RunWorkspaces } from '../../../ports/run-workspaces.ts';
import type { StateFiles } from '../../../ports/state-file-port.ts';
import type { EffectServices } from '../../../ports/services.ts';
import { type StateFileTask as Task, taskOf } from './state-file-task.ts';

/** How often a writing starts anew because the file changes at the same moment. */
const MAX_TRIES = 5;
/** How a file that is written over was found. */
const WAS = { absent: 'absent', foreign: 'replaced', ours: 'kept' } as const;

type Keeping = Pick<EffectServices, 'stateFiles'>;

/** Writes the state of the log, unless people have changed the file: then that is the answer. */
const writeFile = ({ stateFiles, workspaces }: Keeping & Pick<EffectServices, 'workspaces'>): EffectWork => ({
  execute: (request) => repeatableExecution(() => written(taskOf(request, stateFiles), workspaces)),
});

/** Tells whether the file was changed since the run has left it. */
const readFile = ({ stateFiles }: Keeping): EffectWork => ({
  hindrance: (request) => (isGlance(request) ? damageAtResume(taskOf(request, stateFiles)) : null),
  execute: (request) =>
    repeatableExecution(() => (isGlance(request) ? glanced : readAgain)(taskOf(request, stateFiles))),
});

/** Writes that the loop is over. A damaged file is left as it is. */
const closeFile = ({ stateFiles }: Keeping): EffectWork => ({
  execute: (request) => repeatableExecution(() => closedWith(taskOf(request, stateFiles))),
});

async function* written(task: Task, workspaces: RunWorkspaces): AsyncIterable<LoopEvent> {
  for (let tries = 1; ; tries += 1) {
    const found = task.file.read();
    const look = lookAt(found, task.looking);
    if (look.kind === 'edited') return yield* toldOf(look.edit, task.looking);
    if (look.kind === 'damaged') return yield damaged(look);
    if (look.kind !== 'ours') yield* warnExposed(task.looking.settings, workspaces);
    const result = task.file.write(task.active, found);
    if (result.kind === 'written') {
      return yield { type: 'state_file.written', payload: { digest: result.digest, was: WAS[look.kind] } };
    }
    if (result.kind === 'unwritable') return yield damaged({ line: null, reason: result.reason, by: 'person' });
    if (tries === MAX_TRIES)
      return yield damaged({ line: null, reason: 'it changes whenever it is written', by: 'person' });
  }
}

function* toldOf(edit: StateEdit, { context }: Looking): Iterable<LoopEvent> {
  yield* warnAboveCeiling(edit, context);
  yield { type: 'state_file.edited', payload: { edit } };
}

async function* readAgain({ file, looking }: Task): AsyncIterable<LoopEvent> {
  const look = lookAt(file.read(), looking);
  if (look.kind === 'edited') yield* toldOf(look.edit, looking);
  else if (look.kind === 'damaged') yield damaged(look);
  else yield { type: 'state_file.kept', payload: { isMissing: look.kind === 'absent' } };
}

const isGlance = ({ effect }: EffectRequest): boolean => effect.input['purpose'] === 'glance';

/** In the middle of an attempt a damaged file is found before the attempt goes on, and is paid for. */
function damageAtResume({ file, looking }: Task): LoopEvent | null {
  const look = lookAt(file.read(), looking);
  if (look.kind !== 'damaged') return null;
  return { type: 'state_file.revisited', payload: { edit: null, damage: damaged(look).payload } };
}

/** In the middle of an attempt only what people have written counts: the rest is asked about after it. */
async function* glanced({ file, looking }: Task): AsyncIterable<LoopEvent> {
  const look = lookAt(file.read(), looking);
  if (look.kind === 'edited') yield* warnAboveCeiling(look.edit, looking.context);
  yield { type: 'state_file.revisited', payload: { edit: look.kind === 'edited' ? look.edit : null } };
}

async function* closedWith({ file, looking, closed, reason }: Task): AsyncIterable<LoopEvent> {
  for (let tries = 1; ; tries += 1) {
    const found = file.read();
    // A run that ended before its first iteration has no file, unless it died between the writing and its event.
    if (looking.context.file.digest === null && !isOfRun(found, looking.ours)) return yield left('it was not written');
    const look = lookAt(found, looking);
    if (look.kind === 'damaged') return yield left(look.reason);
    if (look.kind === 'foreign') return yield left('it is of another run');
    if (look.kind === 'edited' && tries === 1) {
      const { digest, changes, persons } = look.edit;
      yield { type: 'state_file.superseded', payload: { digest, changes: { ...changes, ...persons } } };
    }
    const result = look.kind === 'edited' && tries > 1 ? null : file.write(closed, found);
    if (result?.kind === 'written')
      return yield { type: 'state_file.closed', payload: { digest: result.digest, reason } };
    if (result?.kind === 'unwritable') return yield left(result.reason);
    if (tries === MAX_TRIES) return yield left('it changes whenever it is written');
  }
}

type Damage = Omit<Extract<Look, { kind: 'damaged' }>, 'kind'>;

const damaged = ({ line, reason, by }: Damage): EventOf<'state_file.damaged'> => ({
  type: 'state_file.damaged',
  payload: { line, reason, ...(by === 'unknown' ? { by } : {}) },
});

const left = (reason: string): EventOf<'state_file.closed'> => ({
  type: 'state_file.closed',
  payload: { digest: null, reason },
});

/** The key under which the chart waits for the file. A look at it in the middle of an attempt is not waited for. */
const FILE = 'stateFile';

/** Reading and writing again does no harm: what is written depends on the log alone. */
const stateFile: Effect = {
  class: 'repeatable',
  interrupted: ({ key }, { reason }) => (key === FILE ? { type: 'state_file.interrupted', payload: { reason } } : null),
};

export const fileReading: Effect = { ...stateFile, handler: readFile };
export const fileWriting: Effect = { ...stateFile, handler: writeFile };
export const fileClosing: Effect = { ...stateFile, handler: closeFile };

/**
 * What the agent may have written, and a look after the attempt would find: in a pause or a wait a person may change
 * the file, and would answer for it. Null: nothing new, or the file has been read, and a person is asked about it.
 */
export function noticedInFile(at: Pick<EffectRequest, 'context' | 'memory'>, stateFiles: StateFiles): LoopEvent | null {
  const { file, looking } = taskOf(at, stateFiles);
  const { context, memory } = looking;
  if (context.file.digest === null || context.edit !== null) return null;
  const look = lookAt(file.read(), looking);
  if (look.kind === 'damaged')
    return look.by === 'unknown' && !memory.isDoubtful ? { type: 'state_file.noticed', payload: { edit: null } } : null;
  if (look.kind !== 'edited' || !look.edit.held || look.edit.by === 'person') return null;
  return look.edit.digest === memory.readDigest ? null : { type: 'state_file.noticed', payload: { edit: look.edit } };
}
