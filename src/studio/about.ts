import { signal } from '@preact/signals';
import { server } from './page-source.ts';

/** The server takes no decision of a person. */
export const isReadOnly = signal(false);
/** By what name approvals are recorded here. Null: no person is known. */
export const person = signal<string | null>(null);
/** Why the server opens no more, as after it was started again. */
export const shut = signal<string | null>(null);

/** Asks the server what it is. */
export async function readAbout(): Promise<void> {
  try {
    const known = await server.about();
    isReadOnly.value = known.readOnly;
    person.value = known.person;
    shut.value = null;
  } catch (error) {
    shut.value = error instanceof Error ? error.message : String(error);
  }
}
