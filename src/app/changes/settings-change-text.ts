import type { DecidingFile } from '../../config/settings-places.ts';

const MAX_NAMED_FILES = 5;
const KIND: Readonly<Record<DecidingFile['decides'], string>> = {
  configuration: 'configuration',
  agent: 'of an agent',
  instructions: 'instructions',
  programs: 'other programs obey it',
};

/**
 * Says that a run changed what later runs, or other programs, go by. `isElsewhere`: the change is not in the user's
 * folder yet.
 */
export function decidingText(run: string, files: readonly DecidingFile[], isElsewhere: boolean): string {
  const named = files.slice(0, MAX_NAMED_FILES).map(({ path, decides }) => `${path} (${KIND[decides]})`);
  const more = files.length > MAX_NAMED_FILES ? ` and ${files.length - MAX_NAMED_FILES} more` : '';
  const before = isElsewhere ? 'you apply it' : 'the next run';
  const asks = files.some(({ decides }) => decides === 'configuration')
    ? '. A run whose configuration decides otherwise than before asks for trust again'
    : '';
  const who = files.some(({ decides }) => decides === 'programs') ? 'later runs or other programs' : 'later runs';
  return `run ${run} changed what ${who} go by: ${named.join(', ')}${more}. Read it before ${before}${asks}`;
}
