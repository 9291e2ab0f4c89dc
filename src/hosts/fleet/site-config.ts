import { runValues } from '../../config/config.ts';
import { findConfig } from '../../config/config-file.ts';
import { fileLayer } from '../../config/file-layer.ts';
import { OptionsError } from '../../app/start/options-error.ts';
import { faultAt } from '../../options/config-fault.ts';
import type { WorkerRun } from './worker-options.ts';

/** What the configuration file of a repository gives to a run: its options, or why it is not used. */
export interface SiteConfig {
  readonly options: Partial<WorkerRun>;
  /** A sentence for who keeps the worker. Null: there is no such file, or it is used. */
  readonly left: string | null;
}

const NOTHING: SiteConfig = { options: {}, left: null };

/**
 * The options in the configuration file at the top of a checkout, where the worker trusts its content: who submits a
 * run can name any commit. `trusted`: SHA-256 digests. Throws an `OptionsError` where a trusted file has faults.
 */
export async function siteConfig(site: string, trusted: ReadonlySet<string>): Promise<SiteConfig> {
  const found = await findConfig([site]);
  if (found.kind === 'none') return NOTHING;
  if (found.kind === 'refused') return { options: {}, left: `${found.problem} It is not used.` };
  const { file } = found;
  if (!trusted.has(file.sha256))
    return { options: {}, left: `${file.path} is not used: this worker does not trust ${file.sha256}` };
  const read = await fileLayer(file, 'project');
  if (read.kind === 'refused')
    throw new OptionsError([faultAt('config', file.path, `a file without faults: ${read.problems.join('; ')}`)]);
  return { options: runValues(read.layer.values), left: null };
}
