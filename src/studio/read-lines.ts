import { linesIn } from './lines-in.ts';
import { Refused, refusedBy } from './page-source.ts';

/**
 * Sends a request whose answer is a stream of events, and tells the data of each as it comes. Rejects with a
 * `Refused`.
 */
export async function readLines<Line>(
  path: string,
  body: object,
  { signal, tell }: { readonly signal: AbortSignal; readonly tell: (lines: readonly Line[]) => void },
): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body), signal });
  if (!response.ok || !response.body) throw await refusedBy(response);
  let rest = '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const frames = (rest + read.value).split('\n\n');
    rest = frames.pop() ?? '';
    const { lines, problem } = linesIn<Line>(frames);
    if (lines.length > 0) tell(lines);
    if (problem) throw new Refused(problem.status, problem.message);
  }
}
