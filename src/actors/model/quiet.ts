import type { LanguageModelMiddleware, Warning } from 'ai';

/** Takes the SDK's warnings for itself: stderr belongs to the program that embeds this one. */
export const quiet = (hear: (warning: Warning) => void): LanguageModelMiddleware => ({
  specificationVersion: 'v4',
  wrapStream: async ({ doStream }) => {
    const { stream, ...rest } = await doStream();
    const silence = new TransformStream({
      transform: (piece, out) => {
        if (piece.type !== 'stream-start') return out.enqueue(piece);
        for (const warning of piece.warnings) hear(warning);
        return out.enqueue({ ...piece, warnings: [] });
      },
    });
    return { ...rest, stream: stream.pipeThrough(silence) };
  },
});
