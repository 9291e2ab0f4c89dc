import { resolve } from 'node:path';
import type { RunSettings } from '../../../../../machines/settings.ts';
import { errorCode } from '../../../../text/error-code.ts';
import { access } from 'node:fs/promises';

/**
 * The file that an option names: in the folder of the head, or, where it is not there, in the folder that the run was
 * started in, because logs, reports and lists are often ignored by git. The second where both lack it.
 */
export async function namedFile(path: string, { directory, isolation }: RunSettings): Promise<string> {
  const here = resolve(directory, path);
  const origin = isolation ? resolve(isolation.origin, path) : here;
  return (await isAbsent(here)) ? origin : here;
}

const isAbsent = (path: string): Promise<boolean> =>
  access(path).then(
    () => false,
    (error: unknown) => errorCode(error) === 'ENOENT',
  );
