import type { Approver } from '../../machines/recorded-proof.ts';
import { oneLine } from '../text/one-line.ts';

const MAX_NAME_CHARACTERS = 200;

/** `ada <ada@example.org> at a terminal`: the person who let changed tests count, and where. */
export function approverText({ name, email, door }: Approver): string {
  const who = email === null ? oneWord(name) : `${oneWord(name)} <${oneWord(email)}>`;
  return `${who} ${DOORS[door]}`;
}

/** A ruling on changed grounds, with the person where one is known. */
export function groundsRulingText(isApproved: boolean, by: Approver | undefined): string {
  const ruling = `changed tests and configuration ${isApproved ? 'count' : 'do not count'}`;
  return by ? `${ruling}, by ${approverText(by)}` : ruling;
}

const DOORS: { readonly [door in Approver['door']]: string } = {
  terminal: 'at a terminal',
  token: 'with a token',
  form: 'in a form of an MCP client',
  editor: 'in an editor',
};

const oneWord = (text: string): string => oneLine(text, MAX_NAME_CHARACTERS);
