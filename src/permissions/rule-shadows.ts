import type { PermissionRule } from '../../machines/permissions.ts';
import { fitsGlob } from '../evidence/path-globs.ts';
import { starPattern } from '../text/star-pattern.ts';
import { ruleText } from './rule-text.ts';

/**
 * Rules that never count, because one before them fits whatever they fit: as sentences.
 *
 * @example
 * shadowedRules([ruleIn('allow shell'), ruleIn('deny shell command=git push')]);
 * // ['the rule "deny shell command=git push" never counts: "allow shell" stands before it']
 */
export const shadowedRules = (rules: readonly PermissionRule[]): readonly string[] =>
  rules.flatMap((rule, index) => {
    const before = rules.slice(0, index).find((one) => covers(one, rule));
    if (!before) return [];
    const says = before.action === rule.action ? 'says the same before it' : 'stands before it, and the first counts';
    return [`the rule "${ruleText(rule)}" never counts: "${ruleText(before)}" ${says}`];
  });

function covers(before: PermissionRule, rule: PermissionRule): boolean {
  if (!starPattern(before.tool).test(rule.tool)) return false;
  if (before.by === undefined) return true;
  if (before.by !== rule.by) return false;
  const [wide, narrow] = [before.pattern ?? '', rule.pattern ?? ''];
  switch (before.by) {
    case 'command':
      return `${narrow} `.startsWith(`${wide.replace(/\s+\*$/, '')} `);
    case 'path':
      return wide === '**' || wide === narrow || fitsGlob(wide)(narrow);
    default:
      return starPattern(wide).test(narrow);
  }
}
