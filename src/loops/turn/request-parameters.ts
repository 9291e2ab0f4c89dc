import type { RunSettings } from '../../../machines/settings.ts';
import type { ModelRequest } from '../../actors/model/model.ts';

/** How a request to a run's model is made, by its settings. */
export function parametersIn({ parameters }: RunSettings): Pick<ModelRequest, 'parameters' | 'maxOutputTokens'> {
  if (!parameters) return {};
  const { maxAnswerTokens, ...others } = parameters;
  return {
    ...(maxAnswerTokens === undefined ? {} : { maxOutputTokens: maxAnswerTokens }),
    ...(Object.keys(others).length === 0 ? {} : { parameters: others }),
  };
}
