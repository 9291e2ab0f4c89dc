import type { JSX } from 'preact';
import { JUDGE_FIELDS, type JudgeFields, judgeName } from './judge-fields.ts';

interface JudgeFormProps {
  readonly number: number;
  readonly fields: JudgeFields;
  readonly change: (fields: JudgeFields) => void;
  /** Null: it is the only one. */
  readonly remove: (() => void) | null;
}

/** The strategy, thresholds and limits of one judge. What is left empty stays as each run had it. */
export const JudgeForm = ({ number, fields, change, remove }: JudgeFormProps): JSX.Element => (
  <fieldset class="judge">
    <legend>
      Judge {number}: {judgeName(fields)}
    </legend>
    {JUDGE_FIELDS.map(([name, title, placeholder]) => (
      <label key={name}>
        {title}
        <input
          value={fields[name]}
          placeholder={placeholder}
          onInput={({ currentTarget }) => change({ ...fields, [name]: currentTarget.value })}
        />
      </label>
    ))}
    {remove && (
      <button type="button" aria-label={`Remove judge ${number}`} onClick={remove}>
        Remove
      </button>
    )}
  </fieldset>
);
