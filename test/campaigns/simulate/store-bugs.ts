/** What a store can do wrong, by name. The simulation must find each. */
export const storeBugs = [
  'answer-before-commit',
  'no-fsync',
  'half-group',
  'checkpoint-ahead',
  'unchecked-sequence',
] as const
export type StoreBug = (typeof storeBugs)[number]
