/** An event of a stream, as it came over the wire. */
interface Frame {
  readonly id: number;
  readonly data: string;
}

/** Reads Server-Sent Events. Comments, which keep a stream open, are left out. */
export async function* framesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    const frames = rest.split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const [, id] = /^id: (\d+)$/m.exec(frame) ?? [];
      const [, data] = /^data: (.*)$/m.exec(frame) ?? [];
      if (id !== undefined && data !== undefined) yield { id: Number(id), data };
    }
  }
}
