import type { Isolation, RunSettings } from '../../../machines/settings.ts';
import { inheritedText } from '../../evidence/start-text.ts';
import { ruleText } from '../../permissions/rule-text.ts';
import { amount, oneLine } from '../../projections/phrases.ts';
import { threadText } from './thread-text.ts';

const MAX_CHARS = 220;
/** More folders of dependencies are counted. */
const MAX_FOLDERS = 5;
/** More rules are counted. */
const MAX_RULES = 20;

const BY: { readonly [by in Isolation['dependencies'][number]['by']]: string } = {
  overlay: 'an overlay',
  'copy-on-write': 'copy on write',
  'hard-links': 'hard links',
  link: 'a link',
};

/** What a run's worktree was made from, and how it got its dependencies. Empty where it has none. */
export function isolationLines({ isolation }: Pick<RunSettings, 'isolation'>): readonly string[] {
  if (!isolation) return [];
  const { origin, base, commit, dependencies } = isolation;
  const shown = dependencies.slice(0, MAX_FOLDERS).map(({ path, by }) => oneLine(`${path} by ${BY[by]}`, MAX_CHARS));
  const more = dependencies.length - shown.length;
  return [
    oneLine(`in a worktree made from ${origin}, ${madeFrom(base, commit)}`, MAX_CHARS),
    ...shown,
    ...(more > 0 ? [`… and ${amount(more, 'more folder')}`] : []),
  ];
}

const madeFrom = (base: string, commit: string | undefined): string =>
  commit === undefined ? `tree ${base.slice(0, 12)}` : `commit ${commit.slice(0, 12)}, without what was not committed`;

/** Tests and configuration that earlier runs changed, so that the run's checks go by what was there before. */
export function earlierLines({ proof }: RunSettings): readonly string[] {
  const inherited = proof?.inherited ?? [];
  return inherited.length === 0 ? [] : [oneLine(inheritedText(inherited), MAX_CHARS)];
}

/** Which run it continues. Empty where it is no part of a thread. */
export const threadLines = ({ thread }: RunSettings): readonly string[] => (thread ? [threadText(thread)] : []);

/** The rules about what calls may do, in their order, and what holds where none fits. Empty where there are none. */
export function permissionLines({ permissions }: Pick<RunSettings, 'permissions'>): readonly string[] {
  if (!permissions) return [];
  const { rules, profile, remembered = [], unattended } = permissions;
  const more = rules.length - MAX_RULES;
  return [
    ...rules.slice(0, MAX_RULES).map((rule) => oneLine(ruleText(rule), MAX_CHARS)),
    ...(more > 0 ? [`… and ${amount(more, 'more rule')}`] : []),
    ...(profile === undefined && rules.length > 0 ? ['otherwise as without rules'] : []),
    ...(profile === undefined ? [] : [`otherwise the profile ${profile}`]),
    ...(remembered.length > 0 ? [`${amount(remembered.length, 'call')} that a person has allowed for good`] : []),
    ...(unattended ? ['without a person: what would be asked is denied'] : []),
  ];
}

/** The walls around the commands of a run. One without a tool that starts commands needs none. */
export function sandboxLines({ sandbox, tools }: Pick<RunSettings, 'sandbox' | 'tools'>): readonly string[] {
  if (sandbox) return [`around the commands of the agent; network: ${sandbox.network.replaceAll(',', ', ')}`];
  return tools.includes('shell') ? ['none around the commands of the agent'] : [];
}
