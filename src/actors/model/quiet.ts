import type { LanguageModelMiddleware } from 'ai';

/** The SDK prints what it thinks of a request on stderr; that belongs to whoever runs us. */
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
