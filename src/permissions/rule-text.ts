import { PermissionAction, type PermissionRule } from '../../machines/permissions.ts';
import { fitsGlob } from '../evidence/path-globs.ts';
import { starPattern } from '../text/star-pattern.ts';

// A rule as a person writes it: ACTION TOOL, or ACTION TOOL BY=PATTERN.
//
//   deny shell command=git push
//   ask edit path=docs/**
//   allow github__* repository=acme/*

/** The end of the sentence "expected …". */
export const RULE_FORM =
  "allow, ask or deny, a tool, and what of it, such as 'deny shell command=git push' or 'ask edit path=docs/**'";

const RULE = /^\s*(?<action>\S+)\s+(?<tool>[\w*.-]+)(?:\s+(?<by>[A-Za-z_][\w.-]*)\s*=\s*(?<pattern>.*\S))?\s*$/s;

/** A rule in a text, or what is wrong with it: the end of the sentence "expected …". */
export function ruleIn(text: string): PermissionRule | { readonly expected: string } {
  const { action, tool = '', by, pattern } = RULE.exec(text)?.groups ?? {};
  const known = PermissionAction.safeParse(action);
  if (!known.success) return { expected: RULE_FORM };
  return {
    action: known.data,
    tool,
    ...(by === undefined || pattern === undefined ? {} : { by, pattern }),
  };
}

/** A rule as a person would write it. */
export const ruleText = ({ action, tool, by, pattern }: PermissionRule): string =>
  [action, tool, ...(by === undefined ? [] : [`${by}=${pattern ?? ''}`])].join(' ');

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
