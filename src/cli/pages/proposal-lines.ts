import { listed } from '../../text/list-text.ts';
import type { Proposal } from '../args/proposal.ts';

/** The models whose keys are found, and how to choose; else what is missing. */
export function modelText({ models, obstacles, variables }: Proposal): string {
  const [first, ...others] = models.map(({ model, variable }) => `${model} (${variable} is set)`);
  if (first === undefined) {
    const missing = obstacles.length > 0 ? obstacles.join(' ') : `no key is set in ${listed(variables, 'or')}`;
    return `none: ${missing.replace(/\.$/, '')}. Without a key: -m ollama/MODEL, -m script:FILE`;
  }
  return others.length === 0 ? first : `${first}, the first of ${models.length}; with -m also ${listed(others, 'or')}`;
}

/** The tests that manifests of the project name. */
export const checksText = ({ checks }: Proposal): string =>
  checks.length === 0
    ? 'none found: a command that must exit with 0, with --verify'
    : listed(
        checks.map(({ command, from }) => `${command} (${from})`),
        'and',
      );
