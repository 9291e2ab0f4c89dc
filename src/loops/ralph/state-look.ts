import type { RalphContext } from '../../../machines/ralph.machine.ts';
import type { StateEdit } from '../../../machines/ralph-facts.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { FoundFile } from '../../actors/state-file/read-state-file.ts';
import { parseRalphState } from '../../ralph/parse-state.ts';
import type { RalphState } from '../../ralph/ralph-state.ts';
import { type RalphMemory, ralphOptionsOf } from './memory.ts';
import { agentCanEdit, editOf, isIdleAt } from './state-edit.ts';

/** What a state file that was found means to a run. */
export type Look =
  | { readonly kind: 'absent' }
  /** As the run has left it, exactly as it would write it, or as the end of the run that it continues has closed it. */
  | { readonly kind: 'ours' }
  /** Of another run, which is over: it may be replaced. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'edited'; readonly edit: StateEdit }
  | (Damage & { readonly kind: 'damaged' });

/** `by`: whether the agent could have done it. */
type Damage = Pick<StateEdit, 'by'> & { readonly line: number | null; readonly reason: string };

export interface Looking {
  readonly settings: RunSettings;
  readonly context: RalphContext;
  readonly memory: RalphMemory;
  /** The state that the log asks for, and the texts that the run itself may have written. */
  readonly ours: RalphState;
  readonly texts: readonly string[];
  /** A process that a command has started may still be at work, unnoticed, when the command is over. */
  readonly mayOutlive: boolean;
}

/** Compares a state file with the log. Pure. */
export function lookAt(found: FoundFile, looking: Looking): Look {
  const { settings, context, memory, ours, texts } = looking;
  if (found.kind === 'absent') return { kind: 'absent' };
  const by = editorOf(found, looking);
  if (found.kind === 'unreadable') return { kind: 'damaged', line: null, reason: found.reason, by };
  const { text, digest } = found;
  if (digest === context.file.digest || texts.includes(text)) return { kind: 'ours' };
  const read = parseRalphState(text);
  if (read.kind === 'damaged') return { ...read, by };
  const { state } = read;
  if (memory.isClosedByEarlier(state)) return { kind: 'ours' };
  if (!memory.isOwn(state.sessionId) || (context.file.digest === null && state.sessionId === null)) {
    if (memory.mayReplace(state, context.file.digest)) return { kind: 'foreign' };
    return { kind: 'damaged', line: null, reason: sessionText(state), by };
  }
  const { isFixed } = ralphOptionsOf(settings);
  return { kind: 'edited', edit: editOf(state, ours, { digest, by, isFixed, left: memory.left, numbers: context }) };
}

/**
 * Who has changed a file last, as far as it counts. One that the agent could have damaged is the agent's until it has
 * been read: who mends a line leaves the others as they are. When a file was changed that cannot be read is not known.
 */
function editorOf(found: FoundFile, { settings, context, memory, mayOutlive }: Looking): StateEdit['by'] {
  if (!agentCanEdit(settings)) return 'person';
  const changedAtMs = found.kind === 'text' ? found.changedAtMs : Number.NaN;
  const isIdle = isIdleAt(context, { changedAtMs, mayOutlive, lookedAt: memory.lookedAt });
  return isIdle && !memory.isDoubtful ? 'person' : 'unknown';
}

/** Whether a file names exactly the run of a state. */
export function isOfRun(found: FoundFile, { sessionId }: Pick<RalphState, 'sessionId'>): boolean {
  const read = found.kind === 'text' ? parseRalphState(found.text) : null;
  return read?.kind === 'state' && read.state.sessionId === sessionId;
}

const sessionText = ({ active, sessionId }: RalphState): string =>
  `it is ${active ? 'active' : 'not active'}, and its session_id is ${sessionId}, which is not this run`;
