import type { ModelParameters } from '../../machines/model-parameters.ts';
import type { Config } from './config.ts';
import { type ParsedOptions, RunOptions } from './options.ts';

type Parsed = Pick<ParsedOptions, 'effort' | 'temperature' | 'maxAnswerTokens' | 'providerOptions'>;

/** How a run's model is asked, as its settings have it; none where no option says anything. */
export function parametersOf({ effort, temperature, maxAnswerTokens, providerOptions }: Parsed): {
  readonly parameters?: ModelParameters;
} {
  const parameters: ModelParameters = {
    ...(effort === undefined ? {} : { effort }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxAnswerTokens == null ? {} : { maxAnswerTokens }),
    ...(providerOptions === undefined
      ? {}
      : { providerOptions: providerOptions as ModelParameters['providerOptions'] }),
  };
  return Object.keys(parameters).length === 0 ? {} : { parameters };
}

const OfAgents = RunOptions.pick({ effort: true, temperature: true, maxAnswerTokens: true, providerOptions: true });

/** The same from the options of an agent. */
export const parametersOfAgent = ({ effort, temperature, maxAnswerTokens, providerOptions }: Config) =>
  parametersOf(OfAgents.parse({ effort, temperature, maxAnswerTokens, providerOptions }));
