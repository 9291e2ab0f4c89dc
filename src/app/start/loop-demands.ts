import type { RunSettings } from '../../../machines/settings.ts';
import { logNamesAround } from '../../git/capture/log-names.ts';
import { askGit } from '../../git/process/git.ts';
import type { RunOptions } from '../../config/options.ts';
import { type LoopDefinition, newestOf } from '../../kernel/loop-definition.ts';
import type { Log } from '../../log/log.ts';
import { pathspecsBesideOwn } from '../../text/own-files.ts';
import { OptionsError } from './options-error.ts';
import { EnvironmentError } from '../../actors/environment-error.ts';
import { isolationOf, type WantedIsolation } from '../isolation/isolable.ts';
import { proofOf, type WantedProof } from '../proof/proof-request.ts';

/** Where a run is to work, and where its checks are to run. */
export interface WantedPlaces {
  /** Null: it works in the folder that it was given. */
  readonly isolated: WantedIsolation | null;
  /** Null: its checks run in the workspace, as it leaves it. */
  readonly proof: WantedProof | null;
}

/** The places that these options ask for. Throws an `EnvironmentError` or an `OptionsError` where one cannot be had. */
export const wantedPlaces = async (
  options: RunOptions,
  settings: RunSettings,
  loop: LoopDefinition,
): Promise<WantedPlaces> => ({
  isolated: await isolationOf(options, settings),
  proof: await proofOf(options, settings, loop),
});

/** The options of a run, with those that its loop has where nothing is given. */
export function withLoopDefaults(options: RunOptions, loops: readonly LoopDefinition[]): RunOptions {
  const loop = typeof options.loop === 'string' ? newestOf(options.loop, loops) : undefined;
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...loop?.settings?.defaults, ...(Object.fromEntries(given) as RunOptions) };
}

/** Throws an `OptionsError` where the loop does not take these settings, and an `EnvironmentError` for the folder. */
export async function assertTaken(
  { log }: { readonly log: Pick<Log, 'store'> },
  { settings: demands }: LoopDefinition,
  settings: RunSettings,
  { isolated, proof }: WantedPlaces,
): Promise<void> {
  const faults = demands?.refuses?.(settings, { isIsolated: isolated !== null, isProven: proof !== null }) ?? [];
  if (faults.length > 0) throw new OptionsError([...faults]);
  if (demands?.needsCleanStart && isolated?.from === 'HEAD') await assertClean(settings.directory, log.store);
}

/** How many files a message names. */
const MAX_NAMED = 5;
/** `XY `, before each path. */
const STATUS_CHARS = 3;

async function assertClean(directory: string, store: string | null): Promise<void> {
  const beside = pathspecsBesideOwn(await logNamesAround(directory, store));
  const command = ['-c', 'core.fsmonitor=false', 'status', '--porcelain', '-z', '--untracked-files=normal', '--'];
  const { exitCode, stdout } = await askGit([...command, ...beside], { directory });
  const changed = new TextDecoder()
    .decode(stdout)
    .split('\0')
    .flatMap((line) => (line === '' ? [] : [line.slice(STATUS_CHARS)]));
  if (exitCode !== 0 || changed.length === 0) return;
  const more = changed.length > MAX_NAMED ? ` and ${changed.length - MAX_NAMED} more` : '';
  throw new EnvironmentError(
    'not_committed',
    `${directory} has changes that are not committed: ${changed.slice(0, MAX_NAMED).join(', ')}${more}. ` +
      'Commit them, or take them along, with --isolate-from files',
  );
}
