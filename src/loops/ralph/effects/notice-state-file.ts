import type { LoopEvent } from '../../../../machines/events.ts';
import { readStateFile } from '../../../actors/state-file/read-state-file.ts';
import { lookAt } from '../state-look.ts';
import type { EffectRequest } from '../../shared/effect.ts';
import { taskOf } from './state-file-task.ts';

/**
 * What the agent may have written, and a look after the attempt would find: in a pause or a wait a person may change
 * the file, and would answer for it. Null: nothing new, or the file has been read, and a person is asked about it.
 */
export function noticedInFile(at: Pick<EffectRequest, 'context' | 'memory'>): LoopEvent | null {
  const { path, looking } = taskOf(at);
  const { context, memory } = looking;
  if (context.file.digest === null || context.edit !== null) return null;
  const look = lookAt(readStateFile(path), looking);
  if (look.kind === 'damaged')
    return look.by === 'unknown' && !memory.isDoubtful ? { type: 'state_file.noticed', payload: { edit: null } } : null;
  if (look.kind !== 'edited' || !look.edit.held || look.edit.by === 'person') return null;
  return look.edit.digest === memory.readDigest ? null : { type: 'state_file.noticed', payload: { edit: look.edit } };
}
