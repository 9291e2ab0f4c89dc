import type { Loops } from 'loopfold';

/**
 * Takes a run by HTTP, under the id that the caller gives: sent twice, it is one run. For everything with `Request` and
 * `Response`. Hono: `app.put('/runs/:id', (c) => takeRun(loops, c.req.param('id'), c.req.raw))`.
 */
export async function takeRun(loops: Loops, id: string, request: Request): Promise<Response> {
  const { prompt } = (await request.json()) as { readonly prompt: string };
  try {
    const { run, isNew } = await loops.submit({ prompt }, id);
    return Response.json({ run }, { status: isNew ? 202 : 200 });
  } catch (error) {
    return Response.json({ error: error instanceof Error ? error.message : String(error) }, { status: 400 });
  }
}
