import { expect, test } from 'vitest';
import type { PromptImage } from '../../../machines/prompt-image.ts';
import { imageIn } from '../../../src/actors/model/image-file.ts';
import type { Message } from '../../../src/actors/model/model.ts';
import { withImages } from '../../../src/hosts/local/services/with-images.ts';
import { requestOf } from '../../actors/model/request.ts';

const image = imageIn(Buffer.from('GIF89a--------'), 'a.gif');
if (!image) throw new Error('a GIF is an image');
const { data: _, ...digest } = image;
const call = { signal: new AbortController().signal, delta: () => {} };

/** What a model receives of a message that has the digest of an image alone, where its log has these images. */
async function receivedWith(known: readonly PromptImage[]) {
  const asked: Message[] = [];
  const model = {
    name: 'own',
    answer: async ({ messages }: { messages: readonly Message[] }) => (asked.push(...messages), { text: '' }),
  };
  const messages: Message[] = [
    { role: 'user', text: 'Look.', images: [digest] },
    { role: 'user', text: 'And go on.' },
  ];
  await withImages(model, async () => known).answer(requestOf({ messages }), call);
  return asked;
}

test('G8 the digest of an image is replaced by the image, and other messages stay as they are', async () => {
  expect(await receivedWith([image])).toEqual([
    { role: 'user', text: 'Look.', images: [image] },
    { role: 'user', text: 'And go on.' },
  ]);
});

test.each([
  ['is not there', []],
  ['has other content', [{ ...image, data: 'R0lGODlh' }]],
])('G8 an image that %s is not sent, and neither is the request', async (_, known) => {
  await expect(receivedWith(known)).rejects.toThrow('The log no longer has a.gif. Start a new run with that image.');
});

test('G8 a model keeps its price and its window, or has none', async () => {
  const price = { inputPerMillion: 1, outputPerMillion: 2, source: 'own' };
  const answer = async () => ({ text: '' });
  const priced = withImages(
    { name: 'own', answer, price: async () => price, contextTokens: async () => 9 },
    async () => [],
  );
  expect(await priced.price?.({ inputTokens: 1, outputTokens: 1 })).toEqual(price);
  expect(await priced.contextTokens?.()).toBe(9);
  expect(withImages({ name: 'own', answer }, async () => []).price).toBeUndefined();
});

test('G8 an image is known by its content', () => {
  const kind = (bytes: string) => imageIn(Buffer.from(bytes, 'latin1'), 'x')?.mediaType ?? null;
  expect(kind('\x89PNG\r\n\x1A\n')).toBe('image/png');
  expect(kind('\xFF\xD8\xFF\xE0')).toBe('image/jpeg');
  expect(kind('GIF87a')).toBe('image/gif');
  expect(kind('RIFF\x10\0\0\0WEBPVP8 ')).toBe('image/webp');
  expect(kind('RIFF\x10\0\0\0WAVEfmt ')).toBeNull();
  expect(kind('<svg/>')).toBeNull();
});
