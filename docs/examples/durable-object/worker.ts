import { LoopObject } from './loop-object.ts';

export { LoopObject };

interface Bindings {
  readonly RUNS: {
    idFromName(name: string): object;
    get(id: object): { fetch(request: Request): Promise<Response> };
  };
}

/**
 * `POST /runs/NAME/start`, `answer`, `steer` and `abort`; `GET /runs/NAME/events`. Every caller is let in: put your own
 * check here.
 */
export default {
  async fetch(request: Request, { RUNS }: Bindings): Promise<Response> {
    const [, name, what] =
      /^\/runs\/([\w-]{1,64})\/(start|answer|steer|abort|events)$/.exec(new URL(request.url).pathname) ?? [];
    if (name === undefined) return new Response(null, { status: 404 });
    return RUNS.get(RUNS.idFromName(name)).fetch(new Request(`http://run/${what}`, request));
  },
};
