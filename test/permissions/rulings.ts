import type { Json } from '../../machines/json.ts';
import type { Permissions } from '../../machines/permissions.ts';
import { type CallRuling, callRuling } from '../../src/permissions/call-ruling.ts';
import { PermissionMemory } from '../../src/permissions/permission-memory.ts';
import { ruleIn } from '../../src/permissions/rule-text.ts';

/** Rules in texts, as they are recorded. */
export const rules = (...texts: readonly string[]): Permissions['rules'] =>
  texts.map((text) => {
    const rule = ruleIn(text);
    if ('expected' in rule) throw new Error(`${text}: expected ${rule.expected}`);
    return rule;
  });

interface Asked extends Omit<Permissions, 'rules'> {
  readonly isWalled?: boolean;
  readonly memory?: PermissionMemory;
}

/** The ruling over a call of a tool in `/here`. */
export const rulingOf = (
  texts: readonly string[],
  tool: string,
  given: Json,
  { isWalled = true, memory = new PermissionMemory(), ...permissions }: Asked = {},
): CallRuling =>
  callRuling(
    { tool, arguments: given },
    { permissions: { rules: rules(...texts), ...permissions }, directory: '/here', isWalled, isForeign: false },
    memory,
  );

/** What rules say of a command. */
export const ofCommand = (texts: readonly string[], command: string): CallRuling['action'] =>
  rulingOf(texts, 'shell', { command }).action;
