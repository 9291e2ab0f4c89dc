/** Why a stream ends before it is over. */
interface Problem {
  readonly status: number;
  readonly message: string;
}

/** The data of the events of a stream, and the problem with which it ends. Null: none. */
export function linesIn<Line>(frames: readonly string[]): {
  readonly lines: readonly Line[];
  readonly problem: Problem | null;
} {
  const lines: Line[] = [];
  for (const frame of frames) {
    const [, data] = /^data: (.*)$/m.exec(frame) ?? [];
    if (data === undefined) continue;
    if (frame.startsWith('event: problem\n')) return { lines, problem: JSON.parse(data) as Problem };
    lines.push(JSON.parse(data) as Line);
  }
  return { lines, problem: null };
}
