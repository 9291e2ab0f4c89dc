import type { Usage } from '../../../../machines/events.ts';
import type { PromptImage } from '../../../../machines/prompt-image.ts';
import { isWhole } from '../../../actors/model/image-file.ts';
import type { ImageSource } from '../../../app/records/earlier-images.ts';
import { type Message, type Model, ModelError, type ModelRequest } from '../../../actors/model/model.ts';

export type { ImageSource };

/** A model that is given images whole: runs below the one that was started with them have only their digests. */
export function withImages(model: Model, imagesOf: ImageSource): Model {
  return {
    name: model.name,
    answer: async (request, call) => model.answer(await filled(request, imagesOf), call),
    get price() {
      return model.price && ((usage: Usage) => model.price?.(usage) ?? Promise.resolve(null));
    },
    get contextTokens() {
      return model.contextTokens && (() => model.contextTokens?.() ?? Promise.resolve(null));
    },
  };
}

async function filled(request: ModelRequest, imagesOf: ImageSource): Promise<ModelRequest> {
  const wanted = request.messages.flatMap(imagesIn);
  if (wanted.length === 0) return request;
  const whole = new Map(wanted.filter(isWhole).map((image) => [image.sha256, image]));
  const missing = new Set(wanted.flatMap(({ sha256 }) => (whole.has(sha256) ? [] : [sha256])));
  const found = missing.size === 0 ? [] : await imagesOf(request.run, missing);
  for (const image of found.filter(isWhole)) whole.set(image.sha256, image);
  const lost = wanted.find(({ sha256 }) => !whole.has(sha256));
  if (lost) throw new ModelError('image_lost', `The log no longer has ${lost.name}. Start a new run with that image.`);
  const messages = request.messages.map((message): Message => {
    const images = imagesIn(message).flatMap(({ sha256 }) => whole.get(sha256) ?? []);
    return message.role === 'user' && images.length > 0 ? { ...message, images } : message;
  });
  return { ...request, messages };
}

const imagesIn = (message: Message): readonly PromptImage[] => (message.role === 'user' ? (message.images ?? []) : []);
