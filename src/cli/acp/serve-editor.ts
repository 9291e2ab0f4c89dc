import type { Readable, Writable } from 'node:stream';
import { Connection } from '../../agents/acp/json-rpc.ts';
import { FloodError, LineReader } from '../../agents/line-reader.ts';
import { oneLine } from '../../text/one-line.ts';
import { DoorRuns } from '../doors/door-runs.ts';
import type { Session } from '../session.ts';
import { AcpDoor } from './acp-door.ts';

/** The longest message of an editor: images come in it. What it sends in all, over days, has no limit. */
const MAX_MESSAGE_BYTES = 64 * 1_024 * 1_024;
const MAX_NOTE_CHARS = 200;

export interface Editor {
  /** What the editor sends, a message on each line. */
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves an editor on two streams, from now on. Returns the end of it: pauses the runs that still work. */
export function serveEditor(session: Session, { input, output }: Editor): () => Promise<void> {
  const { err } = session.streams;
  const door: AcpDoor = new AcpDoor(
    { request: (...sent) => connection.request(...sent), notify: (...sent) => connection.notify(...sent) },
    (directory) => new DoorRuns(session.inFolder(directory)),
  );
  const connection: Connection = new Connection({
    send: (line) => {
      if (output.writable) output.write(`${line}\n`);
      return output.writable;
    },
    notified: (method, params) => door.notified(method, params),
    asked: (method, params) => door.asked(method, params),
  });
  const lines = new LineReader(MAX_MESSAGE_BYTES, Infinity);
  input.on('data', (piece: Buffer) => {
    for (const line of linesOf(lines, piece, () => input.destroy()))
      if (!connection.receive(line)) err.line(`warning: the editor sent no message: ${oneLine(line, MAX_NOTE_CHARS)}`);
  });
  return async () => {
    connection.close();
    await door.close();
  };
}

/** An editor that sends a message without end is not listened to any more. */
function linesOf(lines: LineReader, piece: Buffer, leave: () => void): readonly string[] {
  try {
    return lines.read(piece);
  } catch (error) {
    if (!(error instanceof FloodError)) throw error;
    leave();
    return [];
  }
}
