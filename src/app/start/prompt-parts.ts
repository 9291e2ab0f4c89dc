import type { RunSettings } from '../../../machines/settings.ts';
import type { RunOptions } from '../../config/options.ts';
import { askedAnswer } from './asked-answer.ts';
import { promptImages } from './prompt-images.ts';

/**
 * What belongs to the prompt of a run beside its text: images, and the form of its answer. Throws an `OptionsError`
 * that names what cannot be used.
 */
export const promptParts = async (
  options: Pick<RunOptions, 'images' | 'outputSchema'>,
  settings: Pick<RunSettings, 'loop'>,
): Promise<Pick<RunSettings, 'images' | 'answerSchema'>> => ({
  ...(await promptImages(options)),
  ...(await askedAnswer(options, settings)),
});
