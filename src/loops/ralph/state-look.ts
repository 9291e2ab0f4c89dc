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
  | { readonly kind: 'damaged'; readonly line: number | null; readonly reason: string };

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
export function lookAt(found: FoundFile, { settings, context, memory, ours, texts, mayOutlive }: Looking): Look {
  if (found.kind === 'absent') return { kind: 'absent' };
  if (found.kind === 'unreadable') return { kind: 'damaged', line: null, reason: found.reason };
  const { text, digest, changedAtMs } = found;
  if (digest === context.file.digest || texts.includes(text)) return { kind: 'ours' };
  const read = parseRalphState(text);
  if (read.kind === 'damaged') return read;
  const { state } = read;
  if (memory.isClosedByEarlier(state)) return { kind: 'ours' };
  if (!memory.isOwn(state.sessionId) || (context.file.digest === null && state.sessionId === null)) {
    if (memory.mayReplace(state, context.file.digest)) return { kind: 'foreign' };
    return { kind: 'damaged', line: null, reason: sessionText(state) };
  }
  const { isFixed } = ralphOptionsOf(settings);
  const isPersons =
    !agentCanEdit(settings) || isIdleAt(context, { changedAtMs, mayOutlive, lookedAt: memory.lookedAt });
  return { kind: 'edited', edit: editOf(state, ours, { digest, by: isPersons ? 'person' : 'unknown', isFixed }) };
}

/** Whether a file names exactly the run of a state. */
export function isOfRun(found: FoundFile, { sessionId }: Pick<RalphState, 'sessionId'>): boolean {
  const read = found.kind === 'text' ? parseRalphState(found.text) : null;
  return read?.kind === 'state' && read.state.sessionId === sessionId;
}

const sessionText = ({ active, sessionId }: RalphState): string =>
  `it is ${active ? 'active' : 'not active'}, and its session_id is ${sessionId}, which is not this run`;
