import { z } from 'zod';

/** The most calls, questions and steps of a plan that a report has: the newest. */
export const MAX_REPORTED = 200;

/**
 * What an agent of others said that it did, and how its work ended. It is what the agent says: the workspace and the
 * checks are the evidence.
 */
export const AgentReport = z.strictObject({
  /** By which name it was started, and what it calls itself. */
  name: z.string(),
  product: z.string().optional(),
  /** The id of its own session. Absent: none began. */
  session: z.string().optional(),
  /** The reason why it stopped: a code of `docs/guides/agents-of-others.md`. */
  stop: z.string(),
  /** The newest calls of its own tools, oldest first. */
  calls: z
    .array(z.strictObject({ call: z.string(), title: z.string(), kind: z.string(), status: z.string() }))
    .max(MAX_REPORTED),
  /** The newest questions for permission, and how they were answered. */
  permissions: z
    .array(z.strictObject({ call: z.string(), title: z.string(), kind: z.string(), answer: z.string() }))
    .max(MAX_REPORTED),
  /** Older calls and questions that are left out, by number. */
  leftOut: z.int().positive().optional(),
  /** Its newest plan. */
  plan: z
    .array(z.strictObject({ text: z.string(), status: z.string() }))
    .max(MAX_REPORTED)
    .optional(),
  /** Who counted its tokens: the meter before its provider, or the agent. `unknown`: it said nothing of them. */
  usage: z.enum(['metered', 'reported', 'unknown']),
  /** The requests that the meter has passed on, and what the agent reports beside that. */
  requests: z.int().nonnegative().optional(),
  reported: z.strictObject({ inputTokens: z.int().nonnegative(), outputTokens: z.int().nonnegative() }).optional(),
  /** It has changed no file. */
  idle: z.literal(true).optional(),
});
export type AgentReport = z.infer<typeof AgentReport>;

/** The most events of one step that tell what its agent does meanwhile. */
export const MAX_AGENT_EVENTS_A_STEP = 500;
/** The most calls, questions and messages of one such event: the newest. */
export const MAX_AGENT_PARTS = 40;

/**
 * What an agent of others has done since the event before this one, as it says. Absent parts: none. A call is in it
 * again when its status has changed.
 */
export const agentWork = {
  /** The id of its session, and what it calls itself. */
  session: z.strictObject({ id: z.string(), product: z.string().optional() }).optional(),
  /** Whole messages, cut. */
  said: z.array(z.string()).max(MAX_AGENT_PARTS).optional(),
  calls: AgentReport.shape.calls.max(MAX_AGENT_PARTS).optional(),
  permissions: AgentReport.shape.permissions.max(MAX_AGENT_PARTS).optional(),
  plan: z
    .array(z.strictObject({ text: z.string(), status: z.string() }))
    .max(MAX_AGENT_PARTS)
    .optional(),
  /** Further ones that are left out, by number. */
  leftOut: z.int().positive().optional(),
} as const;

/** The codes of faults of an agent of others that its next attempt may not have. */
export const AGENT_FAILED = {
  crashed: 'agent_crashed',
  silent: 'agent_silent',
  flooded: 'agent_flooded',
  asking: 'agent_asked_too_often',
  requests: 'agent_requests',
} as const;

/** The code of the warning that an agent of others gives no sign of life. */
export const AGENT_QUIET = 'agent_quiet';
