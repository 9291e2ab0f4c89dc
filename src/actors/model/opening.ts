type Bytes = Uint8Array<ArrayBuffer>;

/** The first words of a body, and the whole body, which still has them. */
export interface Opening {
  /** Without blanks before it. Empty: nothing came. */
  readonly words: string;
  readonly body: ReadableStream<Bytes>;
}

/** Reads a body up to its first words. What goes wrong with it meets the reader of the body. */
export async function openingOf(body: ReadableStream<Bytes>): Promise<Opening> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const read: Bytes[] = [];
  let words = '';
  let failure: { readonly error: unknown } | null = null;
  try {
    while (words === '') {
      const { done, value } = await reader.read();
      if (done) break;
      read.push(value);
      words = decoder.decode(value, { stream: true }).trimStart();
    }
  } catch (error) {
    failure = { error };
  }
  const rest = new ReadableStream<Bytes>({
    async pull(out) {
      const piece = read.shift();
      if (piece) return out.enqueue(piece);
      if (failure) return out.error(failure.error);
      const { done, value } = await reader.read();
      return done ? out.close() : out.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { words, body: rest };
}
