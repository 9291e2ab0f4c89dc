import type { Model } from '../../actors/model/model.ts';
import { isSdkModel, nameOfSdkModel, type SdkModel, sdkModel } from '../../actors/model/sdk-model.ts';
import type { ModelSources } from './model-by-name.ts';

/** A model as a program may give it: one of its own, one of the AI SDK, or the name of one, such as `openai/gpt-5`. */
export type AnyModel = Model | SdkModel | string;

/** Whether a value is one of them. A name is read only once its model is needed. */
export function isModel(value: unknown): value is AnyModel {
  if (typeof value === 'string') return value.trim() !== '';
  return isOwnModel(value) || isSdkModel(value);
}

function isOwnModel(value: unknown): value is Model {
  const { name, answer } = Object(value) as Partial<Model>;
  return typeof name === 'string' && typeof answer === 'function';
}

/** A model that was given as an object, as runs are answered by it. */
export const givenModel = (given: Exclude<AnyModel, string>, { providers, now }: ModelSources): Model =>
  isOwnModel(given) ? given : sdkModel(given, providers, now);

/** The name by which another program finds a model, too. Null: only this one has it. */
export function nameFoundElsewhere(given: AnyModel): string | null {
  if (typeof given === 'string') return given;
  return isSdkModel(given) && !isOwnModel(given) ? nameOfSdkModel(given) : null;
}
