import { createMachine } from 'xstate';
import type { CatalogueEntry } from '../../machines/index.ts';
import { iteration } from '../../machines/iteration.machine.ts';

/** The machine of the loop of attempts under another name or version. `attempt`: the key of its attempts. */
export function iterationCalled(id: string, { version = '1', attempt = 'agent' } = {}): CatalogueEntry['machine'] {
  const { context, ...chart } = iteration.config;
  const text = JSON.stringify({ ...chart, id, version })
    .replaceAll('#iteration.', `#${id}.`)
    .replaceAll('"agent"', `"${attempt}"`);
  return createMachine(
    { ...JSON.parse(text), context } as never,
    iteration.implementations as never,
  ) as unknown as CatalogueEntry['machine'];
}
