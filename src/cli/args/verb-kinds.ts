/**
 * `reads`: records nothing. `starts`: makes something new, which an agent may do as well as a person. `decides`:
 * records a decision of a person, so a run may not call it on the log that it is recorded in.
 */
type VerbKind = 'reads' | 'starts' | 'decides';

/** Every verb. docs/decisions/0010-decisions-of-persons.md says why each is of its kind. */
export const VERB_KINDS: ReadonlyMap<string, VerbKind> = new Map<string, VerbKind>([
  ['demo', 'starts'],
  ['run', 'starts'],
  ['improve', 'starts'],
  ['submit', 'starts'],
  ['work', 'starts'],
  ['queue', 'reads'],
  ['requeue', 'decides'],
  ['resume', 'decides'],
  ['extend', 'decides'],
  ['inbox', 'reads'],
  ['answer', 'decides'],
  ['approve', 'decides'],
  ['deny', 'decides'],
  ['steer', 'decides'],
  ['pause', 'decides'],
  ['abort', 'decides'],
  ['config', 'reads'],
  ['grounds', 'reads'],
  ['runs', 'reads'],
  ['show', 'reads'],
  ['events', 'reads'],
  ['rebuild', 'reads'],
  ['diff', 'reads'],
  ['apply', 'decides'],
  ['undo', 'decides'],
  ['machine', 'reads'],
  ['new', 'starts'],
  ['check', 'reads'],
  ['prove', 'reads'],
  ['redecide', 'reads'],
  ['gc', 'decides'],
  ['copy', 'starts'],
  ['deliver', 'decides'],
  ['serve', 'decides'],
  ['studio', 'decides'],
  ['export', 'reads'],
  ['mcp', 'decides'],
  ['acp', 'decides'],
  ['help', 'reads'],
]);

/** With one of these flags, a verb that decides only says what it would do. */
const ONLY_SAYS: readonly string[] = ['check', 'dryRun', 'readOnly'];

/** Whether a call records a decision of a person. A verb that is missing in the table does. */
export const decides = (verb: string, flags: object): boolean =>
  (VERB_KINDS.get(verb) ?? 'decides') === 'decides' &&
  !Object.entries(flags).some(([name, value]) => ONLY_SAYS.includes(name) && value === true);
