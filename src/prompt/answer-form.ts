import type { Json } from '../../machines/json.ts';
import type { GivenForm, ServerQuestion } from '../../machines/server-question.ts';
import { jsonIn } from '../text/json-in.ts';
import { listed } from '../text/list-text.ts';

/** One value that a form asks for. */
interface Field {
  readonly name: string;
  readonly type: 'text' | 'number' | 'whole' | 'yes' | 'one' | 'several';
  readonly about: string;
  readonly options: readonly Option[];
  readonly isRequired: boolean;
  readonly least: number;
  readonly most: number;
}

/** A value that may be chosen, and its name for people. */
interface Option {
  readonly value: string;
  readonly title: string;
}

type Part = Readonly<Record<string, unknown>>;
type Filled = Readonly<Record<string, Json>>;

const MAX_FIELDS = 30;
const MAX_OPTIONS = 50;
/** The answer that gives nothing. */
const DECLINE = 'decline';

/** The fields of a form. Returns null where a person could not fill it in with a line each. */
export function fieldsOf(form: unknown): readonly Field[] | null {
  const { type, properties, required } = partOf(form);
  const fields = Object.entries(partOf(properties));
  if (type !== 'object' || fields.length > MAX_FIELDS) return null;
  const wanted = Array.isArray(required) ? required : [];
  const read = fields.map(([name, schema]) => fieldOf(name, partOf(schema), wanted.includes(name)));
  return read.every((one) => one !== null) ? read : null;
}

/** The answers that a person can choose from. Empty: they write one. */
export function formChoices(form: Json): readonly string[] {
  const fields = fieldsOf(form) ?? [];
  const [only] = fields;
  if (!only) return ['accept', DECLINE];
  if (fields.length > 1 || !(only.type === 'one' || only.type === 'yes')) return [];
  return [...(only.type === 'yes' ? ['yes', 'no'] : only.options.map(({ title }) => title)), DECLINE];
}

/** The question of a server for people: its name, the question, and how to answer. */
export function formText({ server, message, form }: ServerQuestion): string {
  const fields = fieldsOf(form) ?? [];
  const how =
    fields.length > 1
      ? `Answer with a line for each, as NAME: VALUE: ${fields.map(fieldText).join('; ')}.`
      : fields.map((one) => `The answer is ${fieldText(one)}.`).join('');
  return [`The MCP server ${server} asks: ${message}`, how, `"${DECLINE}" gives it nothing.`]
    .filter((part) => part !== '')
    .join(' ');
}

/** A written answer as the form has it, or the sentence that says what does not fit. */
export function filledForm(
  { form, digest }: Pick<ServerQuestion, 'form' | 'digest'>,
  text: string,
): GivenForm | string {
  if (text.trim().toLowerCase() === DECLINE) return { digest, action: 'decline' };
  const content = contentOf(fieldsOf(form) ?? [], text.trim());
  return typeof content === 'string' ? content : { digest, action: 'accept', content };
}

function contentOf(fields: readonly Field[], text: string): Filled | string {
  const written = writtenIn(fields, text);
  const unknown = Object.keys(written).find((name) => fields.every((one) => one.name !== name));
  if (unknown !== undefined)
    return `there is no field ${unknown}: expected ${listed(
      fields.map(({ name }) => name),
      'and',
    )}`;
  const content: Record<string, Json> = {};
  for (const field of fields) {
    const found = written[field.name];
    if (found === undefined && !field.isRequired) continue;
    const value = found === undefined ? undefined : valueOf(field, found);
    if (value === undefined) return `expected ${fieldText(field)}, found ${JSON.stringify(found ?? '')}`;
    content[field.name] = value;
  }
  return content;
}

/** The text of each field: of a JSON object, of lines with names, or the whole text where there is one field. */
function writtenIn(fields: readonly Field[], text: string): Readonly<Record<string, unknown>> {
  const [only] = fields;
  const json = text.startsWith('{') ? jsonIn(text) : undefined;
  const isOfFields = Object.keys(partOf(json)).every((name) => fields.some((one) => one.name === name));
  if (json !== undefined && fields.length > 0 && isOfFields) return partOf(json);
  if (!only) return {};
  if (fields.length === 1) return { [only.name]: text };
  const lines = text.split('\n').flatMap((line) => {
    const { name, value } = /^\s*(?<name>[^:=]+?)\s*[:=]\s*(?<value>.*)$/.exec(line)?.groups ?? {};
    return name === undefined ? [] : [[name, value ?? ''] as const];
  });
  return Object.fromEntries(lines);
}

function valueOf(field: Field, found: unknown): Json | undefined {
  const text = typeof found === 'string' ? found.trim() : found;
  switch (field.type) {
    case 'text':
      return typeof text === 'string' && isWithin(text.length, field) ? text : undefined;
    case 'number':
    case 'whole': {
      const number = text === '' || typeof text === 'boolean' ? NaN : Number(text);
      const isFit = field.type === 'whole' ? Number.isSafeInteger(number) : Number.isFinite(number);
      return isFit && isWithin(number, field) ? number : undefined;
    }
    case 'yes': {
      const said = String(text).toLowerCase();
      if (/^(?:y|yes|true)$/.test(said)) return true;
      return /^(?:n|no|false)$/.test(said) ? false : undefined;
    }
    case 'one':
      return chosenOf(field, text);
    case 'several': {
      const all = Array.isArray(text) ? text : String(text).split(',');
      const values = all.filter((one) => String(one).trim() !== '').map((one) => chosenOf(field, String(one).trim()));
      return isWithin(values.length, field) && values.every((one) => one !== undefined) ? values : undefined;
    }
  }
}

const chosenOf = ({ options }: Field, text: unknown): string | undefined =>
  options.find(({ value, title }) => value === text || title === text)?.value;

const isWithin = (count: number, { least, most }: Field): boolean => count >= least && count <= most;

function fieldOf(name: string, schema: Part, isRequired: boolean): Field | null {
  const about = [schema['title'], schema['description']].filter((one) => typeof one === 'string').join(', ');
  const bounds = (low: string, high: string) => ({
    least: numberOr(schema[low], -Infinity),
    most: numberOr(schema[high], Infinity),
  });
  const field = { name, about, isRequired, options: [] };
  switch (schema['type']) {
    case 'string': {
      const options = optionsOf(schema);
      if (options.length > MAX_OPTIONS) return null;
      return { ...field, type: options.length > 0 ? 'one' : 'text', options, ...bounds('minLength', 'maxLength') };
    }
    case 'number':
      return { ...field, type: 'number', ...bounds('minimum', 'maximum') };
    case 'integer':
      return { ...field, type: 'whole', ...bounds('minimum', 'maximum') };
    case 'boolean':
      return { ...field, type: 'yes', least: 0, most: 0 };
    case 'array': {
      const options = optionsOf(partOf(schema['items']));
      if (options.length === 0 || options.length > MAX_OPTIONS) return null;
      return { ...field, type: 'several', options, ...bounds('minItems', 'maxItems') };
    }
    default:
      return null;
  }
}

/** The values to choose from, in each of the forms that the protocol has for them. */
function optionsOf({ enum: values, enumNames, oneOf, anyOf }: Part): readonly Option[] {
  const names = Array.isArray(enumNames) ? enumNames : [];
  if (Array.isArray(values))
    return values.map((value, index) => ({ value: String(value), title: String(names[index] ?? value) }));
  const titled = [oneOf, anyOf].find((one) => Array.isArray(one)) ?? [];
  return (titled as unknown[]).map((one) => {
    const { const: value, title = value } = partOf(one);
    return { value: String(value), title: String(title) };
  });
}

/** `branch (the name of a branch): a text`. */
function fieldText({ name, about, type, options, isRequired, least, most }: Field): string {
  const kinds = {
    text: 'a text',
    number: 'a number',
    whole: 'a whole number',
    yes: 'yes or no',
    one: `one of ${options.map(({ title }) => title).join(', ')}`,
    several: `some of ${options.map(({ title }) => title).join(', ')}, with commas between them`,
  };
  const unit = type === 'text' ? ' characters' : '';
  const bounds = [
    ...(least > -Infinity && least > 0 ? [`at least ${least}${unit}`] : []),
    ...(most < Infinity && most > 0 ? [`at most ${most}${unit}`] : []),
  ];
  const kind = [kinds[type], ...bounds].join(', ');
  return `${name}${about === '' || about === name ? '' : ` (${about})`}: ${kind}${isRequired ? '' : ', or nothing'}`;
}

const numberOr = (value: unknown, other: number): number => (typeof value === 'number' ? value : other);

const partOf = (value: unknown): Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Part) : {};
