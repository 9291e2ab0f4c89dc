import { describe, expect, test } from 'vitest';
import { providerFailure } from '../../../src/actors/model/provider-failure.ts';

const NONE = { inputTokens: 0, outputTokens: 0 };
const where = { name: 'house/m', keyRemedy: 'Check the key.', usage: NONE, now: 0, hasBegun: false };
const failure = (statusCode: number, message: string, hasImages: boolean) =>
  providerFailure(Object.assign(new Error(message), { statusCode }), { ...where, hasImages });

describe('G8 a provider that refuses an image is told from one that fails', () => {
  test.each([
    [400, 'Invalid content type. image_url is only supported by certain models.'],
    [400, "Invalid value: 'input_image'. Supported values are: 'input_text'."],
    [422, 'unknown variant `image_url`, expected `text`'],
    [400, 'messages[1].content must be a string'],
    [404, 'No endpoints found that support image input'],
    [400, 'Image input modality is not enabled for models/small'],
    [500, 'image input is not supported - hint: you may need to provide the mmproj'],
  ])('G8 %i %s', (status, message) => {
    expect(failure(status, message, true)).toMatchObject({
      code: 'bad_request',
      remedy: null,
      message: expect.stringMatching(/The model does not take such images: leave --image out, or name a model/),
    });
    expect(failure(status, message, false).message).not.toContain('--image');
  });

  test.each([
    [500, 'the provision of capacity failed', 'provider_unavailable'],
    [429, 'too many images a minute', 'rate_limited'],
    [401, 'no key for images', 'authentication'],
    [400, 'max_tokens is too large', 'bad_request'],
  ])('G8 %i %s is another failure', (status, message, code) => {
    const found = failure(status, message, true);
    expect(found.code).toBe(code);
    expect(found.message).not.toContain('--image');
  });
});
