import type { TextStreamPart, ToolSet, Warning } from 'ai';
import type { Usage } from '../../../machines/events.ts';
import type { Json } from '../../log/envelope.ts';
import { cutBy, endsInCalls, isRefusal } from './answer-end.ts';
import { END_UNSAID, isEndMarker } from './end-marker.ts';
import { errorInside } from './error-inside.ts';
import { type ContinuityPart, continuityOf } from './continuity.ts';
import type { Cut, ModelAnswer, RequestedCall } from './model.ts';
import { reportedUsage, usageOf } from './provider-usage.ts';

type Piece = TextStreamPart<ToolSet>;
type Metadata = ContinuityPart['metadata'];

/** What comes of an answer, as against what a client says of its request. */
const BEGINNINGS: ReadonlySet<Piece['type']> = new Set<Piece['type']>([
  'raw',
  'text-start',
  'reasoning-start',
  'tool-input-start',
  'tool-call',
]);

/** The part of one answer that was received so far: complete at its end, partial if the stream broke. */
export class ReceivedAnswer {
  readonly calls: RequestedCall[] = [];
  /** The provider said why it stopped: without that, a stream that ends was cut. */
  isComplete = false;
  /** Something came at all. */
  hasBegun = false;
  /** The provider's finish reason when the stream ended without a complete answer. */
  brokenBy: string | null = null;
  /** The provider has said that the answer is over, and not why. */
  isEndUnsaid = false;
  usage: Usage | null = null;
  /** Of all that came: what was thought, and calls that were not finished, too. */
  characters = 0;
  readonly #ignored = new Set<string>();
  readonly #parts: (ContinuityPart & { key?: string })[] = [];
  #text = '';
  #cut: ModelAnswer['cut'] = null;
  #isRefused = false;
  #endsInCalls = false;
  readonly #isMarked: boolean;

  /** `isMarked`: the API says in its own words when an answer is whole. Else the client's reason of the end counts. */
  constructor(isMarked: boolean) {
    this.#isMarked = isMarked;
  }

  /** Takes one piece in, and returns what of it people may see. */
  take(piece: Piece): string {
    this.hasBegun ||= BEGINNINGS.has(piece.type) && !(piece.type === 'raw' && errorInside(piece.rawValue) !== null);
    switch (piece.type) {
      case 'text-start':
        this.#open({ part: 'text', characters: 0 }, piece.id, piece.providerMetadata);
        return '';
      case 'text-delta':
        this.#note(piece.id, piece.providerMetadata, (part) => {
          if (part.part === 'text') part.characters += piece.text.length;
        });
        this.#text += piece.text;
        this.characters += piece.text.length;
        return piece.text;
      case 'reasoning-start':
        this.#open({ part: 'reasoning', text: '' }, piece.id, piece.providerMetadata);
        return '';
      case 'reasoning-delta':
        this.#note(piece.id, piece.providerMetadata, (part) => {
          if (part.part === 'reasoning') part.text += piece.text;
        });
        this.characters += piece.text.length;
        return '';
      case 'text-end':
      case 'reasoning-end':
        this.#note(piece.id, piece.providerMetadata, () => {});
        return '';
      case 'tool-input-start':
        this.#endsInCalls ||= piece.providerExecuted !== true;
        return '';
      case 'tool-input-delta':
        this.characters += piece.delta.length;
        return '';
      case 'tool-call':
        this.#call(piece);
        return '';
      case 'raw':
        this.isComplete ||= isEndMarker(piece.rawValue);
        this.#isRefused ||= isRefusal(piece.rawValue);
        this.usage = reportedUsage(piece.rawValue, this.usage) ?? this.usage;
        return '';
      case 'finish-step':
        this.#finish(piece);
        return '';
      default:
        return '';
    }
  }

  /** Notes what of the request the client says that the model does not take. */
  readonly ignore = (warning: Warning): void => {
    if (warning.type === 'unsupported' || warning.type === 'compatibility')
      this.#ignored.add(warning.details ?? `${warning.feature} is not supported`);
  };

  get text(): string {
    return this.#text;
  }

  /** Something that can be used, or shown. */
  get isSaid(): boolean {
    return this.#text.trim() !== '' || this.calls.length > 0;
  }

  /** `mostTokens`: the longest answer that was asked for. */
  answer(usage: Usage, mostTokens = Infinity): ModelAnswer {
    const continuity = continuityOf(this.#parts.map(({ key: _, ...part }) => part));
    return {
      text: this.#text,
      calls: this.calls,
      usage,
      cut: this.isEndUnsaid ? this.#cutUnsaid(usage, mostTokens) : this.#cut,
      ...(this.#endsInCalls ? { endsInCalls: true } : {}),
      ...(this.isEndUnsaid ? { isEndUnsaid: true } : {}),
      ...(continuity === null ? {} : { continuity }),
      ...(this.#ignored.size === 0 ? {} : { ignored: [...this.#ignored] }),
    };
  }

  /**
   * Where nothing says why an answer ended: a call of which half is missing, and an answer as long as it may be, were
   * cut. Anything else is taken as it is.
   */
  #cutUnsaid({ outputTokens }: Usage, mostTokens: number): Cut | null {
    if (this.#isRefused) return 'refusal';
    const isHalf = this.calls.some((call) => typeof call.arguments === 'string');
    return isHalf || outputTokens >= mostTokens ? 'length' : null;
  }

  #open(part: ContinuityPart, key: string, metadata: unknown): void {
    this.#parts.push({ ...part, key });
    this.#note(key, metadata, () => {});
  }

  /** The newest part of that id: some providers count them anew. What is said of it later holds. */
  #note(key: string, metadata: unknown, change: (part: ContinuityPart) => void): void {
    const part = this.#parts.findLast((one) => one.key === key);
    if (!part) return;
    change(part);
    if (isSaid(metadata)) part.metadata = merged(part.metadata, metadata);
  }

  #call(piece: Extract<Piece, { type: 'tool-call' }>): void {
    const index = this.calls.length;
    this.calls.push({ id: piece.toolCallId, tool: piece.toolName, arguments: piece.input as Json });
    const metadata = piece.providerMetadata as unknown;
    this.#parts.push({ part: 'call', index, ...(isSaid(metadata) ? { metadata } : {}) });
  }

  #finish({ usage, finishReason: reason, rawFinishReason }: Extract<Piece, { type: 'finish-step' }>): void {
    this.usage = usageOf(usage) ?? this.usage;
    // A client whose stream was cut has no reason and no usage of its provider, and calls that `other`.
    const isTold =
      reason !== 'interrupted' &&
      (reason !== 'other' || rawFinishReason !== undefined || (usage.outputTokens ?? 0) > 0);
    if (!this.#isMarked) this.isComplete ||= isTold;
    this.isEndUnsaid = rawFinishReason === END_UNSAID;
    if (reason === 'error') this.brokenBy = rawFinishReason ?? 'no reason given';
    this.#endsInCalls ||= endsInCalls(reason, rawFinishReason);
    this.#cut = this.#isRefused ? 'refusal' : cutBy(reason, rawFinishReason);
  }
}

const isSaid = (metadata: unknown): metadata is NonNullable<Metadata> =>
  typeof metadata === 'object' && metadata !== null && Object.keys(metadata).length > 0;

function merged(before: Metadata, after: NonNullable<Metadata>): NonNullable<Metadata> {
  const all = { ...before };
  for (const [provider, said] of Object.entries(after)) all[provider] = { ...all[provider], ...said };
  return all;
}
