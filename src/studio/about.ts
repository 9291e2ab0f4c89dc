import { signal } from '@preact/signals';
import { server } from './page-source.ts';

/** The server takes no decision of a person. */
export const isReadOnly = signal(false);
/** Why the server opens no more, as after it was started again. */
export const shut = signal<string | null>(null);

/** Asks the server what it is. */
export async function readAbout(): Promise<void> {
  try {
    const { readOnly } = await server.about();
    isReadOnly.value = readOnly;
    shut.value = null;
  } catch (error) {
    shut.value = error instanceof Error ? error.message : String(error);
  }
}
