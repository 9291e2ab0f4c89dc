import type { Option } from '../options/option-table.ts';
import type { Config } from './config.ts';
import type { Effective } from './load-config.ts';

/** What flags and variables say, and the agent that they name. Files are older than the run. */
export function saidNow({ values, from }: Effective): Config {
  const isNow = (option: Option): boolean => ['flag', 'variable'].includes(from.get(option)?.kind ?? '');
  const isOfAgent = (option: Option): boolean => from.get(option)?.kind === 'agent' && isNow('agent');
  const said = Object.entries(values).filter(([option]) => isNow(option as Option) || isOfAgent(option as Option));
  return Object.fromEntries(said);
}
