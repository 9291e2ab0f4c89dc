import { catalogue } from '../../machines/index.ts';
import { PROGRAM } from './program-version.ts';
import type { Unreadable } from './read-event.ts';

/** Why an event cannot be read, in words that follow its type. */
export function unreadableText({ because, schema, knownSchema, detail, writtenBy }: Unreadable): string {
  switch (because) {
    case 'unknown_loop':
      return `an event of ${writtenBy.machine}, a loop that is not known here`;
    case 'unknown_type':
      return `no event that ${writtenBy.machine ?? 'a loop'} has here`;
    case 'later_schema':
      return `schema ${schema}; known here: ${knownSchema === 1 ? '1' : `1 to ${knownSchema}`}`;
    case 'misfit':
      return `its payload does not fit schema ${schema}: ${detail}`;
    case 'forgotten':
      return 'its content was forgotten';
  }
}

/** What to do about it, as a sentence. */
export function unreadableRemedy(one: Unreadable): string {
  const {
    because,
    writtenBy: { machine, program },
  } = one;
  const isOther = program !== null && program !== PROGRAM;
  switch (because) {
    case 'unknown_loop':
      return `Give the module of ${machine}${isOther ? `, or use ${program}, which wrote it` : ''}.`;
    case 'unknown_type':
    case 'later_schema':
      return isOther
        ? `Use ${program}, which wrote it.`
        : `Use the version of loopfold, or of the module of its loop, that wrote it.`;
    case 'misfit':
      if (isOther) return `Use ${program}, which wrote it.`;
      if (isOfShippedLoop(one)) return 'Restore the log from a copy.';
      return (
        `Put the schema in the module of its loop back, or give the fact an upcast to the new one: ` +
        `the log is not damaged, the schema has changed under the same version of ${machine}.`
      );
    case 'forgotten':
      return 'Restore the log from a copy that still has it.';
  }
}

/** The schemas of a loop that does not ship can change while the program stays as it is. */
export const isOfShippedLoop = ({ writtenBy: { machine } }: Unreadable): boolean =>
  machine === null || catalogue.some(({ id }) => id === machine);

/** Why a run is not folded, and what to do. */
export const unreadableSentence = (one: Unreadable): string =>
  `run ${one.run}: version ${one.version}, ${one.type}, cannot be read: ` +
  `${unreadableText(one)}. ${unreadableRemedy(one)}`;

/** Thrown where an event has to be read, and a value cannot be returned. Nothing was written. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
  readonly unreadable: Unreadable;

  constructor(unreadable: Unreadable) {
    super(unreadableSentence(unreadable));
    this.unreadable = unreadable;
  }
}
