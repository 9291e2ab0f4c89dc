import { z } from 'zod';
import type { RunOptions } from '../config/options.ts';
import type { SubmitOptions } from '../app/start/submit-run.ts';

const MAX_RULES = 200;
const MAX_TEXT_CHARS = 500;
const text = z.string().min(1).max(MAX_TEXT_CHARS);

/** Options of a run, as the library has them. They are checked when the server starts. */
const Options = z.record(z.string(), z.unknown()).default({});

/** It is left for a worker, and does not work in the server. Its options are those of `submit`. */
const submit = z.literal(true).optional();

/** A run that begins with something that happened on an issue, or in a workflow. */
export const IssueRule = z.strictObject({
  source: z.enum(['github', 'linear']),
  on: z.enum(['label', 'mention', 'assigned', 'workflow_failed']),
  /** The label, the name that is mentioned, the person it is assigned to, or the workflow. */
  match: text,
  /** `OWNER/NAME` of GitHub, or the key of a team of Linear. */
  repository: text,
  run: Options,
  submit,
  /** The variable with the secret that signs requests. Default: `GITHUB_WEBHOOK_SECRET`, `LINEAR_WEBHOOK_SECRET`. */
  secretVariable: text.optional(),
  /** The variable with the token for comments. Default: `GITHUB_TOKEN`, `LINEAR_API_KEY`. Empty: none are written. */
  tokenVariable: text.optional(),
  /** The address of the API, for an installation of one's own. */
  api: z.url({ protocol: /^https?$/ }).optional(),
  /** A command that brings the end to people, as a pull request: it gets the run, its ending and the issue. */
  atEnd: z.string().min(1).max(10_000).optional(),
});
export type IssueRule = z.infer<typeof IssueRule>;

/** A run that begins by the clock. */
export const ScheduleRule = z.strictObject({
  source: z.literal('schedule'),
  /** `MINUTE HOUR DAY MONTH WEEKDAY`, in the time zone of the server. */
  cron: text,
  prompt: z.string().min(1),
  run: Options,
  submit,
});
export type ScheduleRule = z.infer<typeof ScheduleRule>;

/** The file of `serve --triggers`: the first rule that fits counts. */
export const TriggerRules = z
  .array(z.discriminatedUnion('source', [IssueRule, ScheduleRule]))
  .min(1)
  .max(MAX_RULES);
export type TriggerRules = z.infer<typeof TriggerRules>;

/** The options of a run by a rule, over those of the server. What a request carries chooses the prompt alone. */
export const optionsBy = ({ run }: Pick<IssueRule, 'run'>, prompt: string, defaults: Partial<RunOptions>): RunOptions =>
  ({ ...defaults, ...run, prompt }) as RunOptions;

/** The submission of a run by a rule. */
export const submissionBy = ({ run }: Pick<IssueRule, 'run'>, prompt: string): SubmitOptions =>
  ({ ...run, prompt }) as SubmitOptions;

/** The variable with the secret that signs requests of a rule. */
export const secretVariableOf = ({ source, secretVariable }: IssueRule): string =>
  secretVariable ?? (source === 'github' ? 'GITHUB_WEBHOOK_SECRET' : 'LINEAR_WEBHOOK_SECRET');

/** The variable with the token for comments of a rule. */
export const tokenVariableOf = ({ source, tokenVariable }: IssueRule): string =>
  tokenVariable ?? (source === 'github' ? 'GITHUB_TOKEN' : 'LINEAR_API_KEY');
