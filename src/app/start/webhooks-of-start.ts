import { ActivityStatus, type RunSettings } from '../../../machines/settings.ts';
import { SECRET_FORM, signingKey } from '../../actors/webhook/webhook-signature.ts';
import { DEFAULT_SECRET_VARIABLE } from '../../config/environment.ts';
import type { RunOptions } from '../../config/options.ts';
import { type AskedWebhook, WebhooksOption } from '../../config/webhook-option.ts';
import { loopNamed } from '../../kernel/loop-named.ts';
import type { AppHost } from '../app-host.ts';
import { OptionsError } from './options-error.ts';
import { type LoopDefinition, loopNameOf } from '../../kernel/loop-definition.ts';
import type { Redact } from '../../kernel/react.ts';
import { redactor } from '../../log/redact.ts';
import { type ConfigFault, faultAt } from '../../options/config-fault.ts';
import { urlReadings } from '../../text/url-readings.ts';

type Webhooks = NonNullable<RunSettings['webhooks']>;
type Variables = { readonly [variable: string]: string | undefined };

interface Surroundings {
  readonly variables: Variables;
  readonly redact: Redact;
  readonly loop: Pick<LoopDefinition, 'id' | 'activity'>;
}

/** Where a new run reports its status. Throws an `OptionsError` where it cannot. */
export function webhooksOf(
  { variables, redact, definitions }: Pick<AppHost, 'variables' | 'redact' | 'definitions'>,
  options: Pick<RunOptions, 'webhooks'>,
  { loop }: RunSettings,
): { readonly settings: Pick<RunSettings, 'webhooks'>; readonly warnings: readonly string[] } {
  const asked = WebhooksOption.parse(options.webhooks ?? []);
  if (asked.length === 0) return { settings: {}, warnings: [] };
  const prepared = preparedWebhooks(asked, { variables, redact, loop: loopNamed(loop, definitions) });
  if (prepared.faults.length > 0) throw new OptionsError(prepared.faults);
  return { settings: { webhooks: prepared.webhooks }, warnings: prepared.warnings };
}

/** The webhooks of a new run, or why a run cannot report there. Secrets stay in the environment. */
function preparedWebhooks(
  asked: readonly AskedWebhook[],
  { variables, redact, loop }: Surroundings,
): { readonly webhooks: Webhooks; readonly faults: readonly ConfigFault[]; readonly warnings: readonly string[] } {
  const webhooks = asked.map(({ url, secretVariable, statuses = ActivityStatus.options }) => ({
    url,
    secretVariable: secretVariable === undefined ? defaultVariable(variables) : secretVariable,
    statuses: [...statuses],
  }));
  const faults = webhooks.flatMap(({ url, secretVariable }, index) => [
    ...urlFaults(
      `webhooks[${index}].url`,
      url,
      redact,
      secretVariable === null ? undefined : variables[secretVariable],
    ),
    ...(webhooks.findIndex((other) => other.url === url) < index
      ? [faultAt(`webhooks[${index}].url`, url, 'each URL once')]
      : []),
    ...secretFaults(`webhooks[${index}].secretVariable`, secretVariable, variables),
  ]);
  const warnings = asked.flatMap(({ url, secretVariable }) => [
    ...(isOpen(url) ? [`Reports to ${new URL(url).origin} can be read on the way: use https.`] : []),
    ...(secretVariable === undefined && !defaultVariable(variables)
      ? [`Reports to ${new URL(url).origin} are not signed: put a secret into ${DEFAULT_SECRET_VARIABLE}.`]
      : []),
  ]);
  return { webhooks, faults, warnings: [...(loop.activity ? [] : [unused(loop)]), ...warnings].slice(0, MAX_WARNINGS) };
}

/**
 * A URL is recorded, and repeated in messages. `signs`: the value that signs the reports, a secret under any name of
 * its variable.
 */
function urlFaults(field: string, url: string, redact: Redact, signs: string | undefined): ConfigFault[] {
  const { username, password, origin } = new URL(url);
  if (username !== '' || password !== '') return [faultAt(field, origin, 'a URL without a user name or password')];
  const signers = signs === undefined ? [] : [signs, signs.replace(/^whsec_/, '')];
  const withoutSigner = redactor(signers.map((value) => ({ name: 'the secret of the webhook', value })));
  const clean = (text: string) => String(withoutSigner(redact(text)));
  // The space: a text of one plain word is never redacted.
  const isClean = (text: string) => clean(` ${text}`) === ` ${text}`;
  if (urlReadings(url).every(isClean)) return [];
  return [faultAt(field, clean(url) === url ? clean(origin) : clean(url), NO_SECRET)];
}

const NO_SECRET = 'a URL without a secret in it: it is recorded. Sign reports by a secretVariable instead';
const MAX_WARNINGS = 8;

const unused = ({ id }: Pick<LoopDefinition, 'id'>) =>
  `webhooks is not used: a ${loopNameOf(id)} has no activities to report. Choose a loop of attempts.`;

const defaultVariable = (variables: Variables): string | null =>
  variables[DEFAULT_SECRET_VARIABLE] ? DEFAULT_SECRET_VARIABLE : null;

function secretFaults(field: string, variable: string | null, variables: Variables): ConfigFault[] {
  if (variable === null) return [];
  const secret = variables[variable];
  if (!secret) return [faultAt(field, variable, 'the name of a variable that is set: its value signs the reports')];
  return signingKey(secret) ? [] : [faultAt(field, variable, `the name of a variable that holds ${SECRET_FORM}`)];
}

/** Whether others on the network can read what is sent. */
function isOpen(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]';
  return protocol === 'http:' && !isHere && !/^127\.\d+\.\d+\.\d+$/.test(hostname);
}
