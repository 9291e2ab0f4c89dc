import { z } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import { obstacleOf, type Obstacle } from '../app/running/obstacle.ts';
import { OptionsError } from '../app/start/options-error.ts';
import { faultSentence } from '../options/config-fault.ts';
import { plain } from '../text/one-line.ts';

/** Why a request was not carried out. `message`: a sentence for people. */
export const Problem = z
  .object({
    code: z.string(),
    message: z.string(),
    /** Each option that is at fault. */
    faults: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  })
  .openapi('Problem');
export type Problem = z.infer<typeof Problem>;

export type ProblemStatus = 400 | 401 | 403 | 404 | 409 | 413 | 421 | 422 | 429 | 500 | 503;

/** A request that is refused. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly status: ProblemStatus;
  readonly problem: Problem;

  constructor(status: ProblemStatus, code: string, message: string) {
    super(message);
    this.status = status;
    this.problem = { code, message: plain(message) };
  }
}

const STATUS: { readonly [obstacle in Obstacle]: ProblemStatus } = {
  request: 422,
  authentication: 422,
  environment: 503,
  held: 409,
  log: 500,
};

/** Any thrown value as a problem. A bug says nothing of itself to the outside. */
export function problemOf(error: unknown): { readonly status: ProblemStatus; readonly problem: Problem } {
  if (error instanceof HttpProblem) return error;
  // What the router itself refuses is a body that is no JSON.
  if (error instanceof HTTPException && error.status === 400)
    return { status: 400, problem: { code: 'request', message: plain(error.message) } };
  if (error instanceof OptionsError) return { status: 422, problem: faulty(error) };
  const obstacle = obstacleOf(error);
  if (obstacle && error instanceof Error)
    return { status: STATUS[obstacle], problem: { code: obstacle, message: plain(error.message) } };
  return { status: 500, problem: { code: 'bug', message: 'this is a bug; the server has printed it' } };
}

const faulty = ({ faults }: OptionsError): Problem => ({
  code: 'options',
  message: plain(faults.map((fault) => faultSentence({ ...fault, flag: null })).join('\n')),
  faults: faults.map((fault) => ({ field: fault.field, message: plain(faultSentence({ ...fault, flag: null })) })),
});
