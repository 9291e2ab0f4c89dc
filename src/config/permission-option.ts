import { z } from 'zod';
import { PermissionAction, type PermissionRule, PROFILES } from '../../machines/permissions.ts';
import { commandParts } from '../permissions/command-parts.ts';
import { RULE_FORM, ruleIn } from '../permissions/rule-text.ts';

/** The most rules of a run. */
const MAX_RULES = 500;
const MAX_PATTERN_CHARACTERS = 1_000;

const OBJECT = "{ action, tool, match }, such as { action: 'deny', tool: 'shell', match: { command: 'git push' } }";
const FORM = `${RULE_FORM}; or ${OBJECT}`;

const RuleLine = z.string({ error: FORM }).transform((text, context): PermissionRule => {
  const rule = ruleIn(text);
  if (!('expected' in rule)) return rule;
  context.addIssue({ code: 'custom', message: rule.expected });
  return z.NEVER;
});

const RuleObject = z
  .strictObject({
    action: PermissionAction,
    tool: z.string({ error: FORM }).regex(/^[\w*.-]+$/, { error: "a tool's name, or a pattern with *" }),
    match: z
      .record(z.string().regex(/^[A-Za-z_][\w.-]*$/), z.string().min(1), { error: OBJECT })
      .refine((match) => Object.keys(match).length === 1, { error: `one match: ${OBJECT}` })
      .optional(),
  })
  .transform(({ action, tool, match }): PermissionRule => {
    const [only] = Object.entries(match ?? {});
    return { action, tool, ...(only ? { by: only[0], pattern: only[1] } : {}) };
  });

/** A rule as a text or as an object. Its pattern is checked at once: one that can fit nothing protects nothing. */
const RuleOption = z.union([RuleLine, RuleObject], { error: FORM }).superRefine((rule, context) => {
  const expected = patternFault(rule);
  if (expected !== null) context.addIssue({ code: 'custom', message: expected });
});

/** The rules about what calls may do: the first that fits counts. */
export const PermissionsOption = z
  .array(RuleOption, { error: `a list of rules: ${FORM}` })
  .max(MAX_RULES, { error: `at most ${MAX_RULES} rules` });

/** What holds where no rule fits. */
export const ProfileOption = z.enum(PROFILES, { error: `one of ${PROFILES.join(', ')}` });

/** What is wrong with the pattern of a rule; null where it is a pattern. */
function patternFault({ by, pattern = '' }: PermissionRule): string | null {
  if (by === undefined) return null;
  if (pattern.length > MAX_PATTERN_CHARACTERS || pattern.includes('\0'))
    return `a pattern of at most ${MAX_PATTERN_CHARACTERS} characters, without null bytes`;
  if (by === 'command') return isOneCommand(pattern) ? null : 'the first words of one command, such as command=npm run';
  if (by === 'host')
    return /^[\w.*-]+$/.test(pattern) ? null : 'a host without protocol, port and path, such as host=*.example.org';
  if (by !== 'path') return null;
  if (pattern.startsWith('!') || pattern.split('/').includes('..'))
    return "a glob from the workspace, or an absolute one, without '..' and a leading '!', such as path=docs/**";
  return isBalanced(pattern) ? null : 'a glob whose brackets are closed, such as path=src/{a,b}/**';
}

function isOneCommand(pattern: string): boolean {
  const { commands, reads, writes, isOpen } = commandParts(pattern);
  return commands.length === 1 && reads.length + writes.length === 0 && !isOpen && !/[;&|]\s*$/.test(pattern);
}

const PAIRS: Readonly<Record<string, string>> = { '[': ']', '{': '}', '(': ')' };

function isBalanced(glob: string): boolean {
  const open: string[] = [];
  for (const letter of glob.replace(/\\./g, '')) {
    const close = PAIRS[letter];
    if (close !== undefined) open.push(close);
    else if (Object.values(PAIRS).includes(letter) && open.pop() !== letter) return false;
  }
  return open.length === 0;
}
