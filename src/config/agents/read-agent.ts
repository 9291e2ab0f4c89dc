import { isAgentModel } from '../../../machines/agent-model.ts';
import { dirname } from 'node:path';
import { effectiveCap } from '../caps.ts';
import { type Config, fromFolder } from '../config.ts';
import { CEILINGS } from '../../options/defaults.ts';
import { nearest } from '../../text/nearest.ts';
import { MAX_PROMPT_CHARACTERS, RunOptions } from '../options.ts';
import type { AgentText, ReadAgent } from './agent.ts';
import { toolsOf } from './agent-tools.ts';
import { type Fields, readFields } from './front-matter.ts';
import { Hearing } from './read-fields.ts';

/** Synonyms; of several the first counts. */
const STEPS = ['steps', 'maxSteps', 'maxTurns'] as const;
/** How the model is asked. */
const PARAMETERS = ['effort', 'temperature', 'maxAnswerTokens', 'providerOptions'] as const;
const OURS: readonly string[] = [
  ...STEPS,
  'name',
  'description',
  'model',
  'tools',
  'disallowedTools',
  'budget',
  'strategy',
  'maxIterations',
  'detectors',
  'polling',
  ...PARAMETERS,
];

/** Fields of other programs that look like misspelt fields of loopfold. */
const THEIRS: ReadonlySet<string> = new Set(['mode']);

/** An agent from its text, or its faults, each with file, line and field. */
export function readAgent(text: AgentText): ReadAgent {
  const { name, file, body, isForeign, others } = text;
  const read = readFields(text);
  if (read.kind === 'broken') {
    return { kind: 'refused', problems: [`${file}:${read.line}: the front matter is not YAML: ${read.why}`] };
  }
  const hearing = new Hearing(file, text.line, read.fields);
  noteMisspelt(read.fields, hearing);
  const stepsField = STEPS.find((field) => hearing.has(field)) ?? 'steps';
  // The ceiling applies to an agent without a warning: its steps are an upper limit.
  const maxSteps = effectiveCap(hearing.wholeNumber(stepsField, 0) ?? null, CEILINGS.steps);
  const options: Record<keyof typeof FIELDS | 'system', unknown> = {
    maxSteps: hearing.has(stepsField) ? maxSteps : undefined,
    maxToolCalls: hearing.wholeNumber('budget', 1),
    model: modelOf(hearing, isForeign),
    tools: toolsOf(hearing, isForeign),
    strategy: hearing.option('strategy'),
    maxIterations: hearing.has('maxIterations') ? iterationsOf(hearing) : undefined,
    detectors: hearing.option('detectors'),
    polling: hearing.option('polling'),
    ...parametersOf(hearing, isForeign),
    system: body === '' ? undefined : body,
  };
  const description = hearing.words('description') ?? null;
  if (body.length > MAX_PROMPT_CHARACTERS)
    hearing.refuse('system', body, `at most ${MAX_PROMPT_CHARACTERS} characters`);
  const { problems, warnings } = hearing;
  if (problems.length > 0) return { kind: 'refused', problems };
  const said = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Config;
  const fields = Object.entries({ ...FIELDS, maxSteps: stepsField });
  const lines = new Map([
    ...fields.map(([key, field]) => [key, hearing.line(field)] as const),
    ['system', text.bodyLine],
  ]);
  return {
    kind: 'agent',
    agent: { name, description, file, others, options: fromFolder(said, dirname(file)), lines, warnings },
  };
}

/** Which field an option is read from. The system prompt is the text below all of them. */
const FIELDS = {
  maxSteps: 'steps',
  maxToolCalls: 'budget',
  model: 'model',
  tools: 'tools',
  strategy: 'strategy',
  maxIterations: 'maxIterations',
  detectors: 'detectors',
  polling: 'polling',
  effort: 'effort',
  temperature: 'temperature',
  maxAnswerTokens: 'maxAnswerTokens',
  providerOptions: 'providerOptions',
} as const;

/** Pages of other programs have a temperature and an effort, too; what is not one of ours there is left out. */
function parametersOf(hearing: Hearing, isForeign: boolean): Record<(typeof PARAMETERS)[number], unknown> {
  const of = (field: (typeof PARAMETERS)[number]) => {
    if (!isForeign || RunOptions.shape[field].safeParse(hearing.value(field)).success) return hearing.option(field);
    return hearing.warn(field, ' has a value that loopfold does not know; it is left out');
  };
  return {
    effort: of('effort'),
    temperature: of('temperature'),
    maxAnswerTokens: of('maxAnswerTokens'),
    providerOptions: of('providerOptions'),
  };
}

const iterationsOf = (hearing: Hearing) =>
  effectiveCap(hearing.wholeNumber('maxIterations', 1) ?? null, CEILINGS.iterations);

function noteMisspelt(fields: Fields, hearing: Hearing): void {
  for (const field of fields.keys()) {
    const meant = OURS.includes(field) || THEIRS.has(field) ? null : nearest(field, OURS);
    if (meant !== null) hearing.warn(field, ` is not read. Did you mean ${meant}?`);
  }
}

/** Model names are loopfold's own: those of other programs are ignored. */
function modelOf(hearing: Hearing, isForeign: boolean): string | undefined {
  const model = hearing.words('model');
  if (model === undefined || model === 'inherit') return undefined;
  // A page brings no agent of others: it would not have the tools that the page names.
  if (/^[^/\s]+\/\S|^script:./.test(model) && !isAgentModel(model)) return model;
  if (isForeign) return hearing.warn('model', `: '${model}' names no provider; the model of the run is used`);
  return hearing.refuse('model', model, "provider/model, or 'inherit' for the model of the run");
}
