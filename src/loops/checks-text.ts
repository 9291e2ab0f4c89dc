import type { Check, RunSettings } from '../../machines/settings.ts';
import { CLEAN_TREE } from '../config/clean-tree.ts';
import { startedBy } from '../evidence/command-words.ts';
import { head } from '../text/excerpt.ts';

/** How many checks a prompt names, and how much of each command. */
const MAX_CHECKS = 30;
const MAX_COMMAND_CHARACTERS = 300;

/** The checks of a run in words, for its agent: each command, and what it proves. Null: there are none. */
export function checksText({ checks }: Pick<RunSettings, 'checks'>): string | null {
  if (checks.length === 0) return null;
  const named = checks.slice(0, MAX_CHECKS).map((check) => `- ${check.level} ${commandText(check)}: ${proves(check)}`);
  const more = checks.length - named.length;
  const levels = new Set(checks.map(({ level }) => level)).size > 1 ? [LEVELS] : [];
  return [TITLE, ...named, ...(more > 0 ? [`- and ${more} more`] : []), ...levels].join('\n');
}

const TITLE = 'These checks decide whether the task is done:';
const LEVELS = 'They run by level: the checks of a level run once those below it pass.';

const commandText = ({ name, command }: Check): string =>
  name === CLEAN_TREE ? CLEAN_TREE : `\`${head(command.replaceAll(/\s+/g, ' '), MAX_COMMAND_CHARACTERS)}\``;

function proves({ name, command, reads = false }: Check): string {
  if (name === CLEAN_TREE) return 'every change is committed';
  const started = startedBy(command, '');
  const isReading = reads || (started.length > 0 && started.every((program) => program.isReading));
  return isReading
    ? 'exits with 0 where it finds nothing wrong'
    : 'exits with 0, and every test that it reports passes';
}
