import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Loops } from 'loopfold';

/**
 * The same for `node:http`. Express: `app.put('/runs/:id', (req, res) => answerRun(loops, req.params.id, req, res))`,
 * before any parser of bodies.
 */
export async function answerRun(
  loops: Loops,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt } = (await json(request)) as { readonly prompt: string };
  const [status, body] = await loops.submit({ prompt }, id).then(
    ({ run, isNew }) => [isNew ? 202 : 200, { run }] as const,
    (error: unknown) => [400, { error: error instanceof Error ? error.message : String(error) }] as const,
  );
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
