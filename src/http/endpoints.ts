import type { z } from 'zod';
import { LabLine } from '../app/views/lab-view.ts';
import { commandEndpoints } from './command-routes.ts';
import { compareEndpoints } from './compare-routes.ts';
import { EnvelopeView, eventEndpoints, events, feed, FeedView } from './event-routes.ts';
import { inboxEndpoints } from './inbox-routes.ts';
import { judgingEndpoints } from './judgement-routes.ts';
import { lab } from './lab-routes.ts';
import { readingEndpoints } from './reading-routes.ts';
import { startingEndpoints } from './start-routes.ts';
import { stateEndpoints } from './state-routes.ts';

/** Every route that answers with JSON, by the name that a client has for it. */
export const ENDPOINTS = {
  ...readingEndpoints,
  ...stateEndpoints,
  ...eventEndpoints,
  ...inboxEndpoints,
  ...compareEndpoints,
  ...commandEndpoints,
  ...startingEndpoints,
  ...judgingEndpoints,
} as const;
export type Endpoints = typeof ENDPOINTS;

/** Every route that answers with a stream of events, and what the data of each is. */
export const STREAMS = {
  events: { route: events, data: EnvelopeView },
  feed: { route: feed, data: FeedView },
  lab: { route: lab, data: LabLine },
} as const;
export type Streams = typeof STREAMS;

type Json<Schema> = { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
type Part<Route, Name extends string> = Route extends {
  readonly request: { readonly [name in Name]: infer Schema extends z.ZodType };
}
  ? z.input<Schema>
  : {};
type Body<Route> = Route extends { readonly request: { readonly body: Json<infer Schema extends z.ZodType> } }
  ? { readonly body: z.input<Schema> }
  : {};

/** What a request to a route says: what stands in its path and behind it, and its body. */
export type Asked<Route> = Part<Route, 'params'> & Part<Route, 'query'> & Body<Route>;

/** What a route answers. */
export type Answer<Route> = Route extends { readonly responses: { readonly 200: Json<infer Schema extends z.ZodType> } }
  ? z.output<Schema>
  : never;
