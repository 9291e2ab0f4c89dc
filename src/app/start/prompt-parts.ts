import type { RunSettings } from '../../../machines/settings.ts';
import type { RunOptions } from '../../config/options.ts';
import { readFile } from 'node:fs/promises';
import { resolve, basename } from 'node:path';
import { Json } from '../../../machines/json.ts';
import { SchemaOption } from '../../config/schema-option.ts';
import { answersBy } from '../../prompt/answer-schema.ts';
import { faultAt } from '../../options/config-fault.ts';
import { jsonIn } from '../../text/json-in.ts';
import { OptionsError } from './options-error.ts';
import type { PromptImage } from '../../../machines/prompt-image.ts';
import { imageIn, MAX_IMAGES_BYTES } from '../../actors/model/image-file.ts';

const KINDS = 'a PNG, JPEG, GIF or WebP image';

/** The images of a prompt, as they are recorded. Throws an `OptionsError` that names each that cannot be used. */
async function promptImages(options: Pick<RunOptions, 'images'>): Promise<{ images?: PromptImage[] }> {
  const { images: given = [] } = options;
  if (given.length === 0) return {};
  const read = await Promise.all(given.map(imageOf));
  const faults = read.flatMap((one, index) =>
    'expected' in one ? [faultAt(`images[${index}]`, one.value, one.expected)] : [],
  );
  const images = read.flatMap((one) => ('expected' in one ? [] : [one]));
  const bytes = images.reduce((sum, image) => sum + image.bytes, 0);
  if (bytes > MAX_IMAGES_BYTES)
    faults.push(faultAt('images', `${bytes} bytes`, `at most ${MAX_IMAGES_BYTES} bytes together: make them smaller`));
  if (faults.length > 0) throw new OptionsError(faults);
  return { images };
}

type Given = NonNullable<RunOptions['images']>[number];
interface Unusable {
  readonly value: string;
  readonly expected: string;
}

async function imageOf(given: Given, index: number): Promise<PromptImage | Unusable> {
  if (typeof given !== 'string') {
    const name = given.name ?? `image ${index + 1}`;
    const image = imageIn(Buffer.from(given.data, 'base64'), name);
    return image ?? { value: name, expected: `the content of ${KINDS}, in base64` };
  }
  try {
    const image = imageIn(await readFile(resolve(given)), basename(given));
    return image ?? { value: given, expected: `the path of a file whose content is ${KINDS}` };
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    return { value: given, expected: `the path of ${KINDS} that can be read (${why})` };
  }
}

/** A longer schema would fill the window of the model. */
const MAX_SCHEMA_CHARS = 100_000;
/** Loops whose answer is not that of their model. */
const OTHER_ANSWERS: ReadonlySet<string> = new Set(['ralph', 'improvement']);

/** The form of the answer of a run. Throws an `OptionsError` where it is no schema that can be checked. */
async function askedAnswer(
  { outputSchema }: Pick<RunOptions, 'outputSchema'>,
  { loop }: Pick<RunSettings, 'loop'>,
): Promise<Pick<RunSettings, 'answerSchema'>> {
  if (outputSchema === undefined) return {};
  const fault = (value: unknown, expected: string) => new OptionsError([faultAt('outputSchema', value, expected)]);
  if (OTHER_ANSWERS.has(loop)) throw fault(loop, 'a loop whose answer is that of its model: turn or iteration');
  const given = SchemaOption.parse(outputSchema);
  const text = typeof given === 'string' ? await textOf(given, fault) : JSON.stringify(given);
  const schema = Json.safeParse(jsonIn(text));
  const shown = typeof given === 'string' ? given : 'a schema';
  if (!schema.success || typeof schema.data !== 'object') throw fault(shown, 'JSON Schema, as JSON');
  if (text.length > MAX_SCHEMA_CHARS) throw fault(shown, `a schema of at most ${MAX_SCHEMA_CHARS} characters`);
  try {
    answersBy(schema.data);
  } catch (error) {
    throw fault(shown, `a JSON Schema that can be checked (${error instanceof Error ? error.message : String(error)})`);
  }
  return { answerSchema: schema.data };
}

const textOf = (path: string, fault: (value: unknown, expected: string) => OptionsError): Promise<string> =>
  readFile(resolve(path), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw fault(path, `the path of a JSON Schema that can be read (${error.code ?? String(error)})`);
  });

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
