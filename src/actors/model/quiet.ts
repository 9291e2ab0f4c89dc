import type { LanguageModelMiddleware } from 'ai';

/** Turns off the SDK's warnings: stderr belongs to the program that embeds this one. */
export const quiet: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  wrapStream: async ({ doStream }) => {
    const { stream, ...rest } = await doStream();
    const silence = new TransformStream({
      transform: (piece, out) => out.enqueue(piece.type === 'stream-start' ? { ...piece, warnings: [] } : piece),
    });
    return { ...rest, stream: stream.pipeThrough(silence) };
  },
};
