import type { RunSettings } from '../../../machines/settings.ts';
import type { Message, ModelRequest } from '../../actors/model/model.ts';
import type { ToolSpec } from '../../actors/tool-spec.ts';
import { answerFormText } from '../../prompt/answer-schema.ts';
import { systemText } from '../../prompt/system-text.ts';

/** What a request of a turn is made of. */
export interface RequestParts {
  readonly run: string;
  readonly settings: RunSettings;
  /** The step cap in force: with 0 a turn is text only, and no tool is offered. */
  readonly maxSteps: number | null;
  /** 0-based. */
  readonly step: number;
  readonly messages: readonly Message[];
  /** The tools of a list of names, as a model is told of them. */
  readonly toolSpecs: (names: readonly string[]) => readonly ToolSpec[];
}

/** A request to the model of a turn: a pure function of what is recorded of its run. */
export const recordedRequest = ({
  run,
  settings,
  maxSteps,
  step,
  messages,
  toolSpecs,
}: RequestParts): ModelRequest => ({
  run,
  system: systemText(settings),
  messages,
  tools: maxSteps === 0 ? [] : toolSpecs(settings.tools),
  ...parametersIn(settings),
  step,
  iteration: settings.parent?.iteration ?? 0,
});

const withForm = (prompt: string, answerSchema: RunSettings['answerSchema']): string =>
  answerSchema === undefined ? prompt : `${prompt}\n\n${answerFormText(answerSchema)}`;

/** The messages that the conversation of a turn begins with. */
export const openingMessages = ({
  prompt,
  images,
  history = [],
  answerSchema,
}: Pick<RunSettings, 'prompt' | 'images' | 'history' | 'answerSchema'>): Message[] => [
  ...history,
  { role: 'user', text: withForm(prompt, answerSchema), ...(images ? { images } : {}) },
];

/** How a request to a run's model is made, by its settings. */
export function parametersIn({ parameters }: RunSettings): Pick<ModelRequest, 'parameters' | 'maxOutputTokens'> {
  if (!parameters) return {};
  const { maxAnswerTokens, ...others } = parameters;
  return {
    ...(maxAnswerTokens === undefined ? {} : { maxOutputTokens: maxAnswerTokens }),
    ...(Object.keys(others).length === 0 ? {} : { parameters: others }),
  };
}
