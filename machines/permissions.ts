import { z } from 'zod';
import { Approver } from './recorded-proof.ts';

/** The answer of a rule to a call that it fits. */
export const PermissionAction = z.enum(['allow', 'ask', 'deny']);
export type PermissionAction = z.infer<typeof PermissionAction>;

/** What calls of a tool may do. Of several rules the first that fits a call counts. */
export const PermissionRule = z.strictObject({
  action: PermissionAction,
  /** The name of a tool, or a pattern with `*`. `read`, `edit`, `shell` and `fetch` also name what other tools do. */
  tool: z.string(),
  /** `path`, `command`, `host`, or the name of an argument. Absent: every call of the tool. */
  by: z.string().optional(),
  /** A glob of paths, the first words of a command, a host, or a pattern of that argument. */
  pattern: z.string().optional(),
});
export type PermissionRule = z.infer<typeof PermissionRule>;

export const PROFILES = ['read', 'edit', 'all'] as const;
/** What holds where no rule fits. */
export const PermissionProfile = z.enum(PROFILES);
export type PermissionProfile = z.infer<typeof PermissionProfile>;

/** The most calls that are remembered of one run, or of one project. */
export const MAX_REMEMBERED = 500;

/** The calls that a run may try. The walls say what they reach. */
export const Permissions = z.strictObject({
  rules: z.array(PermissionRule),
  /** Absent: as without rules. */
  profile: PermissionProfile.optional(),
  /** What a person has allowed for good in this project, or in the runs above: by the names of its parts. */
  remembered: z.array(z.string()).max(MAX_REMEMBERED).optional(),
  /** No person is there to be asked: what would be asked is denied. */
  unattended: z.literal(true).optional(),
});
export type Permissions = z.infer<typeof Permissions>;

/** A call that a person is asked about. */
export const AskedPermission = z.strictObject({
  /** The rule or the profile that wants a person. */
  because: z.string(),
  /** SHA-256 of the tool and its arguments: what is allowed is exactly this call. */
  digest: z.string(),
  /** What would be remembered, where a person allows such calls for good. */
  remembers: z.array(z.string()),
});
export type AskedPermission = z.infer<typeof AskedPermission>;

/** The ruling of a person about a call. */
export const GivenPermission = z.strictObject({
  granted: z.boolean(),
  digest: z.string(),
  /** What is allowed for good with it, in this run and those below it. Absent: the next such call alone is allowed. */
  remembers: z.array(z.string()).optional(),
  /** The person who has ruled, where the door knows one. */
  by: Approver.optional(),
});
export type GivenPermission = z.infer<typeof GivenPermission>;
