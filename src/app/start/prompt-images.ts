import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { PromptImage } from '../../../machines/prompt-image.ts';
import { imageIn, MAX_IMAGES_BYTES } from '../../actors/model/image-file.ts';
import type { RunOptions } from '../../config/options.ts';
import { faultAt } from '../../options/config-fault.ts';
import { OptionsError } from './options-error.ts';

const KINDS = 'a PNG, JPEG, GIF or WebP image';

/** The images of a prompt, as they are recorded. Throws an `OptionsError` that names each that cannot be used. */
export async function promptImages(options: Pick<RunOptions, 'images'>): Promise<{ images?: PromptImage[] }> {
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
