import { noTexts, textsIn } from '../../../loops/improvement/effects/texts-of-record.ts';
import type { EffectRecords } from '../../../ports/effect-records.ts';
import {
  conversationsIn,
  type ConversationSource,
  noConversations,
} from '../../../app/records/earlier-conversations.ts';
import { earlierErrorsIn, noErrors, checksIn, noChecks } from '../../../app/records/earlier-errors.ts';
import { nonePermitted, permittedIn } from '../../../app/records/call-permits.ts';
import { flakyLedgerIn, noLedger } from '../../../app/records/flaky-ledger.ts';

/** Makes what a log says of other runs; without one, nothing. */
export const recordServices = (source: ConversationSource | null): EffectRecords => ({
  rootOf: async (run) => (await source?.log.run(run))?.root ?? run,
  isWithin: async (run, other) => {
    let found: string | undefined = run;
    while (found !== undefined && found !== other) found = parentOf(await source?.log.run(found));
    return found === other;
  },
  conversations: source ? conversationsIn(source) : noConversations,
  earlierErrors: source ? earlierErrorsIn(source) : noErrors,
  flakyLedger: source ? flakyLedgerIn(source) : noLedger,
  permittedCalls: source ? permittedIn(source) : nonePermitted,
  checksOf: source ? checksIn(source) : noChecks,
  texts: source ? textsIn(source) : noTexts,
  store: source?.log.store ?? null,
});

/** An effect is named by its run: `RUN/version/n`. */
const parentOf = (record: { readonly parentEffect?: string | null } | null | undefined): string | undefined =>
  record?.parentEffect?.split('/')[0];
