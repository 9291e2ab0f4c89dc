interface Used {
  readonly used: number;
  readonly limit: number;
  /** Set aside, and not spent. */
  readonly reserved?: number | undefined;
}

/** How much of a limit is spent, and how much of it is set aside: `190000/250000, 1000 set aside`. */
export const usedOf = ({ used, limit, reserved = 0 }: Used, text: (amount: number) => string): string =>
  `${text(used)}/${text(limit)}${reserved > 0 ? `, ${text(reserved)} set aside` : ''}`;
