import type { Usage } from '../../../machines/events.ts';
import { environmentFault } from '../../log/environment-fault.ts';
import { head } from '../../text/excerpt.ts';
import { AnswerTooLong, PageInstead } from './careful-fetch.ts';
import type { Endpoint } from './endpoint.ts';
import { ModelError } from './model.ts';
import { statusNamed } from './error-inside.ts';
import {
  FILTERED,
  IMAGES,
  NO_MODEL,
  NO_MONEY,
  OVERFLOW,
  REFUSES_IMAGES,
  USED_UP,
  WITHOUT_IMAGES,
} from './failure-words.ts';
import { isOfTokensInATime, isOverRateLimit, OVER_RATE_LIMIT } from './rate-limit.ts';
import { MODEL_UNKNOWN, NO_ANSWER } from '../../../machines/outcome.ts';
import { reasonInBody } from './reason-in-body.ts';
import { resetIn, retryAfter } from '../../text/retry-after.ts';

/** What the errors of a provider's client have in common, whichever of its classes they are. */
interface Told {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly statusCode?: unknown;
  readonly url?: unknown;
  readonly isRetryable?: unknown;
  readonly responseHeaders?: { readonly [name: string]: string };
  readonly responseBody?: unknown;
  readonly type?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
}

/** What a client throws where a stream is no longer what it should be. */
const BROKEN = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
  'AI_NoOutputGeneratedError',
]);
/** What a client throws before it sends anything. */
const NO_KEY = new Set(['AI_LoadAPIKeyError', 'AI_LoadSettingError']);
const UNSENT = new Set([
  ...NO_KEY,
  'AI_UnsupportedFunctionalityError',
  'AI_InvalidPromptError',
  'AI_NoSuchModelError',
  'AI_UnsupportedModelVersionError',
]);
const NETWORK =
  /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR)|terminated|fetch failed|other side closed|socket hang up/;
const MAX_BODY_CHARACTERS = 500;
/** The part of an error that is recorded, and looked through for words of a provider. */
const MAX_MESSAGE_CHARACTERS = 2_000;

interface Where extends Pick<Endpoint, 'name' | 'keyRemedy'> {
  readonly usage: Usage;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The request has images. */
  readonly hasImages?: boolean;
  /** The answer had begun: whatever ends it then is no fault of the request. */
  readonly hasBegun: boolean;
}

/**
 * An error of a provider or of the way there, as the run should know it. Throws an `EnvironmentFault` where this system
 * could not even ask.
 */
export function providerFailure(error: unknown, where: Where): ModelError {
  const fault = environmentFault(error);
  if (fault) throw fault;
  const { name, keyRemedy, usage, now, hasBegun, hasImages = false } = where;
  if (error instanceof ModelError) return error;
  const page = causeOf(error, PageInstead);
  if (page) return new ModelError('provider_unavailable', `${name}: ${page.message}. ${NOT_IN_THE_WAY}`);
  const tooLong = causeOf(error, AnswerTooLong);
  if (tooLong) return new ModelError('bad_answer', `${name}: ${tooLong.message}`, usage);
  const told: Told = typeof error === 'object' && error !== null ? error : { message: String(error) };
  const status = statusOf(told);
  const said = `${name}: ${status === null ? '' : `${status}: `}${messageOf(told)}${placeOf(told, status)}`;
  const fail = (code: string, remedy: ModelError['remedy'] = null) => new ModelError(code, said, usage, remedy);
  const words = `${messageOf(told)} ${String(told.code ?? '')} ${String(told.type ?? '')} ${bodyOf(told)}`;
  const afterMs = retryAfter(told.responseHeaders, now, words);
  if (hasImages && (status === null || REFUSES_IMAGES.has(status)) && IMAGES.test(words))
    return new ModelError('bad_request', `${said.replace(/\.$/, '')}. ${WITHOUT_IMAGES}`, usage);
  if (status !== null && status < 400) return fail('bad_request');
  if (isRefusal(status) && FILTERED.test(words)) return fail(NO_ANSWER.filtered);
  if (NO_KEY.has(String(told.name))) return fail('authentication');
  // A limit of what is used in a day or a month, of whatever status: it is waited for where its end is known.
  const resetMs =
    isRefusal(status) && USED_UP.test(words) && !isOverRateLimit(words) ? retryAfter({}, now, words) : null;
  if (resetMs !== null) return fail('rate_limited', { kind: 'wait', afterMs: resetMs });
  if (status === 401 || status === 403) return new ModelError('authentication', `${said}. ${keyRemedy}`, usage);
  if (status === 402 || (status === 429 && NO_MONEY.test(words))) return fail('provider_unavailable');
  if ((status === 429 || status === 413) && isOverRateLimit(words))
    return new ModelError(OVER_RATE_LIMIT, `${said.replace(/\.$/, '')}. ${SMALLER}`, usage);
  if (status === 429 || (status === 413 && isOfTokensInATime(words)))
    return fail('rate_limited', { kind: 'wait', afterMs: afterMs ?? resetIn(told.responseHeaders, now) });
  // Ollama answers with status 500.
  if (status === 413 || (status !== null && OVERFLOW.test(words))) return fail(NO_ANSWER.full);
  if (isBlockedPort(told)) return new ModelError('provider_unavailable', `${said}. ${OTHER_PORT}`, usage);
  if (isTransient(status) || isBroken(told) || (hasBegun && status === null))
    return fail('provider_unavailable', { kind: 'retry', afterMs });
  if (status === 404 || (isRefusal(status) && NO_MODEL.test(words)))
    return new ModelError(MODEL_UNKNOWN, `${said.replace(/\.$/, '')}. ${OTHER_MODEL}`, usage);
  if (isRefusal(status)) return fail('bad_request');
  return OVERFLOW.test(words) ? fail(NO_ANSWER.full) : fail('model_error');
}

const OTHER_MODEL = 'Name another model with -m, or mend the base URL of the provider';
const SMALLER =
  'Waiting does not help: one request may not be larger than that. Have the provider raise the limit, or name another model';

interface Unfinished {
  readonly hasBegun: boolean;
  readonly brokenBy: string | null;
}

/** A stream that ended before its provider said why, or because the model said nothing that can be read. */
export function noAnswer(
  { name, baseUrl }: Pick<Endpoint, 'name' | 'baseUrl'>,
  { hasBegun, brokenBy }: Unfinished,
  usage: Usage,
): ModelError {
  const ended = hasBegun ? 'the answer ended before it was whole' : `what ${baseUrl} says is no answer of a model`;
  const why = brokenBy === null ? ended : `the answer was broken off (${brokenBy})`;
  return new ModelError('provider_unavailable', `${name}: ${why}`, usage, { kind: 'retry', afterMs: null });
}

const NOBODY_THERE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
  // The connection was never made safe, so nothing was sent over it.
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);
/** What `fetch` says of ports that belong to other services: it has no code for that. */
const BLOCKED_PORT = 'bad port';

/** The request was refused or never reached a server: no token was spent on it. */
export function wasNeverAsked(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const told: Told = error;
  if (UNSENT.has(String(told.name))) return true;
  if (statusOf(told) !== null || NOBODY_THERE.has(String(told.code)) || told.message === BLOCKED_PORT) return true;
  return depth < MAX_CAUSES && wasNeverAsked(told.cause, depth + 1);
}

function statusOf(told: Told): number | null {
  const said = typeof told.statusCode === 'number' ? told.statusCode : told.code;
  if (typeof said === 'number' && said >= 300 && said < 600) return said;
  // In a stream an error is told as the server has it. What is an `Error` has a code of the network.
  return told instanceof Error ? null : statusNamed(told);
}

const isRefusal = (status: number | null) => status !== null && status >= 400 && status < 500;
const isTransient = (status: number | null) =>
  status !== null && (status >= 500 || status === 408 || status === 409 || status === 425);

/** No server answered, the connection broke, or the answer was not a stream: another try may succeed. */
function isBroken(told: Told, depth = 0): boolean {
  if (told.isRetryable === true || (typeof told.name === 'string' && BROKEN.has(told.name))) return true;
  if (NETWORK.test(String(told.code ?? '')) || NETWORK.test(String(told.message ?? ''))) return true;
  const { cause } = told;
  return depth < MAX_CAUSES && typeof cause === 'object' && cause !== null && isBroken(cause, depth + 1);
}

const OTHER_PORT = 'No request is sent to a port that belongs to another service: let the server listen on another one';
const isBlockedPort = (told: Told): boolean =>
  told.message === BLOCKED_PORT ||
  (told.cause instanceof Error && (told.cause.message === BLOCKED_PORT || isBlockedPort(told.cause)));

/** What ended a stream: a client says of it only that reading failed. */
function causeOf<Cause extends Error>(
  error: unknown,
  kind: abstract new (...given: never[]) => Cause,
  depth = 0,
): Cause | null {
  if (error instanceof kind) return error;
  return error instanceof Error && depth < MAX_CAUSES ? causeOf(error.cause, kind, depth + 1) : null;
}

/** No token was spent on a page, and asking again brings the same one. */
const NOT_IN_THE_WAY =
  'A proxy or a login page is in the way, or the address is wrong: check the network, and the base URL of the provider';

const MAX_CAUSES = 5;

/** One line. Where the client only says that it failed, its cause knows more. */
function messageOf(told: Told): string {
  const { message, cause } = told;
  const because =
    cause instanceof Error && cause.message !== '' && !String(message).includes(cause.message)
      ? `: ${cause.message}`
      : '';
  const known = typeof message === 'string' && message !== '' ? message + because : bodyOf(told);
  const said = reasonInBody(told) ?? known;
  return said === '' ? 'no reason given' : head(said.replaceAll(/\s+/g, ' '), MAX_MESSAGE_CHARACTERS);
}

/** Where it was asked, if it was the wrong place. */
function placeOf({ url, responseHeaders }: Told, status: number | null): string {
  if (status === 404) return typeof url === 'string' ? ` (${url})` : '';
  if (status === null || status >= 400) return '';
  const elsewhere = URL.parse(responseHeaders?.['location'] ?? '', String(url))?.origin ?? 'nowhere';
  return ` (it leads to ${elsewhere}, where no key is sent unasked: if that is right, say that address)`;
}

const bodyOf = ({ responseBody }: Told) =>
  typeof responseBody === 'string' ? responseBody.slice(0, MAX_BODY_CHARACTERS) : '';
