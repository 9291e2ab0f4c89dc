import { AGENT_PLACES } from './agents/agent-places.ts';
import { CONFIG_NAMES } from './config-names.ts';
import { INSTRUCTION_NAMES, SKILL_FOLDERS } from './instruction-names.ts';
import { isObeyed } from './obeyed-files.ts';

/** A file of a project that later runs, or other programs, go by. */
export interface DecidingFile {
  readonly path: string;
  /**
   * `configuration`: when work counts, and what a run may do. `agent`: what an agent is told, and its tools.
   * `instructions`: what every agent is told. `programs`: what other programs run or obey by themselves.
   */
  readonly decides: 'configuration' | 'agent' | 'instructions' | 'programs';
}

/** The files among these paths, with `/` between names, that later runs go by. Of each path once. */
export const decidingAmong = (paths: readonly string[]): readonly DecidingFile[] =>
  [...new Set(paths)].flatMap((path) => {
    const decides = decidedBy(path);
    return decides === null ? [] : [{ path, decides }];
  });

/** Some file systems find a file under a name in another case. */
function decidedBy(path: string): DecidingFile['decides'] | null {
  const name = `/${path.toLowerCase()}`;
  if (CONFIG_NAMES.some((config) => name.endsWith(`/${config}`))) return 'configuration';
  const folder = name.slice(0, name.lastIndexOf('/'));
  const isPage = ({ path: place }: (typeof AGENT_PLACES)[number]) =>
    place.endsWith('.md')
      ? name.endsWith(`/${place.toLowerCase()}`)
      : name.endsWith('.md') && folder.endsWith(`/${place}`);
  if (AGENT_PLACES.some(isPage)) return 'agent';
  if (INSTRUCTION_NAMES.some((page) => name.endsWith(`/${page.toLowerCase()}`))) return 'instructions';
  if (name.endsWith('.md') && SKILL_FOLDERS.some((place) => folder.includes(`/${place}`))) return 'instructions';
  return isObeyed(name) ? 'programs' : null;
}
