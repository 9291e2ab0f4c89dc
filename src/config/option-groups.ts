import type { Option } from './config.ts';

/** Options that belong together, in the help and in the guide. Each option is in one group. */
export const OPTION_GROUPS = {
  Task: ['images', 'loop', 'labels', 'completionPromise', 'context', 'adaptiveIterations', 'options', 'outputSchema'],
  Model: [
    'model',
    'fallbackModel',
    'judge',
    'effort',
    'temperature',
    'maxAnswerTokens',
    'providerOptions',
    'providers',
  ],
  Agent: [
    'agent',
    'system',
    'systemAppend',
    'instructions',
    'tools',
    'permissions',
    'permissionProfile',
    'hooks',
    'environment',
    'maxParallel',
    'mcpServers',
    'mcpConfig',
  ],
  'Attempts that compete': ['attempts', 'parallel', 'agents'],
  Limits: [
    'maxIterations',
    'maxSteps',
    'maxToolCalls',
    'maxTokens',
    'maxTime',
    'maxCost',
    'threadMaxCost',
    'summaryTokens',
    'graceMs',
  ],
  Checks: ['checks', 'checkTimeout', 'ci', 'accept', 'requireRed', 'heldOut', 'heldOutChecks', 'heldOutTells'],
  'Proof of the work': [
    'checkIn',
    'protect',
    'unprotect',
    'allowGrounds',
    'wait',
    'provide',
    'prepare',
    'homePaths',
    'walls',
    'control',
    'legs',
  ],
  'When to continue and when to stop': ['strategy', 'detectors', 'polling'],
  'Where commands run': [
    'isolate',
    'isolateFrom',
    'deps',
    'sandbox',
    'network',
    'sandboxWrite',
    'sandboxLimits',
    'captureLimit',
  ],
  'Output and log': ['outputFormat', 'quiet', 'verbose', 'deltas', 'stateDirectory', 'webhooks', 'log'],
} as const satisfies Readonly<Record<string, readonly Option[]>>;

/** The options that the help of `run` begins with. */
export const COMMON_OPTIONS: readonly Option[] = [
  'model',
  'checks',
  'maxIterations',
  'maxTime',
  'maxCost',
  'accept',
  'isolate',
  'network',
  'outputFormat',
];

/** Returns the name of the group that an option is in. */
export function groupOf(option: Option): string {
  const groups: readonly (readonly [string, readonly Option[]])[] = Object.entries(OPTION_GROUPS);
  const found = groups.find(([, options]) => options.includes(option));
  if (!found) throw new TypeError(`the option ${option} is in no group`);
  return found[0];
}
