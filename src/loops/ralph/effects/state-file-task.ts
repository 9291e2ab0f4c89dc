import type { RalphContext } from '../../../../machines/ralph.machine.ts';
import { recognisesProcesses } from '../../../actors/command-mark.ts';
import type { FoundFile } from '../../../actors/state-file/read-state-file.ts';
import type { WrittenFile } from '../../../actors/state-file/write-state-file.ts';
import type { StateFiles } from '../../../ports/state-file-port.ts';
import type { RalphMemory } from '../memory.ts';
import { stateOf } from '../state-edit.ts';
import type { Looking } from '../state-look.ts';
import { formatRalphState } from '../../../ralph/parse-state.ts';
import { deactivateLoop } from '../../../ralph/state-changes.ts';
import { head } from '../../../text/excerpt.ts';
import { stateFileOf } from './state-file-place.ts';
import type { EffectRequest } from '../../shared/effect.ts';

/** As much as a state file takes. */
const MAX_REASON_CHARS = 2_000;

/** The work of a handler: the file, and what the log asks for. */
export interface StateFileTask {
  readonly file: {
    readonly read: () => FoundFile;
    readonly write: (text: string, before: FoundFile) => WrittenFile;
  };
  readonly looking: Looking;
  readonly active: string;
  readonly closed: string;
  readonly reason: string;
}

export function taskOf(
  { context: { run, settings, state }, memory }: Pick<EffectRequest, 'context' | 'memory'>,
  { read, write }: StateFiles,
): StateFileTask {
  const context = state.snapshot.context as RalphContext;
  const own = memory.judge.own as RalphMemory;
  const ours = stateOf(run, context, own);
  const reason = head(own.reason, MAX_REASON_CHARS);
  const active = formatRalphState(ours);
  const closed = formatRalphState(deactivateLoop(ours, reason));
  const texts = [active, closed];
  const looking = { settings, context, memory: own, ours, texts, mayOutlive: !recognisesProcesses() };
  const path = stateFileOf(settings);
  const file = { read: () => read(path), write: (text: string, before: FoundFile) => write(path, text, before) };
  return { file, looking, active, closed, reason };
}
