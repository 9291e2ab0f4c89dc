import { PermissionAction, type PermissionRule } from '../../machines/permissions.ts';

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
