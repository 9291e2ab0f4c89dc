/** An event of a stream, as it came over the wire. */
interface Frame {
  /** Null: an event like most of its stream. */
  readonly name: string | null;
  /** 0: it has none, because it stands for no event of a log. */
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
      const [, name = null] = /^event: (.*)$/m.exec(frame) ?? [];
      const [, id] = /^id: (\d+)$/m.exec(frame) ?? [];
      const [, data] = /^data: (.*)$/m.exec(frame) ?? [];
      if (data !== undefined && (id !== undefined || name !== null)) yield { name, id: Number(id ?? 0), data };
    }
  }
}
