import type { AnsweredQuestion, Question } from '../../projections/questions.ts';

/** The result of a person's command to a run. */
export type CommandResult =
  | {
      readonly kind: 'received';
      readonly run: string;
      readonly version: number;
      /** The question that was answered. */
      readonly question?: Question;
    }
  | { readonly kind: 'unknown_run'; readonly run: string }
  | {
      readonly kind: 'refused';
      readonly because:
        | 'nothing_asked'
        | 'unknown_call'
        | 'several_asked'
        | 'asks_for_access'
        | 'asks_for_approval'
        | 'asks_a_question'
        /** The answer does not fit the form of the question. */
        | 'unfit_answer'
        | 'answered_before'
        | 'has_changed'
        | 'no_such_path'
        | 'leads_elsewhere'
        | 'not_remembered'
        | 'empty'
        | 'too_long'
        | 'not_taken'
        /** A process that may be at work holds the run: `resume` takes it over, once a person says that it is not. */
        | 'held';
      /** A sentence for the sender. */
      readonly message: string;
      /** The open questions of the run and those below it. */
      readonly open: readonly Question[];
      /** The open question that was meant, where it is known. */
      readonly question?: Question;
      /** The answer that was given before. */
      readonly first?: AnsweredQuestion;
    };

export type RefusedCommand = Extract<CommandResult, { kind: 'refused' }>;

export const refused = (
  because: RefusedCommand['because'],
  message: string,
  open: readonly Question[] = [],
): RefusedCommand => ({ kind: 'refused', because, message, open });
