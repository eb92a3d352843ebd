type Wrong = {
  readonly id: number
  readonly clause: 'condition' | 'consensus'
  readonly says: RegExp
  readonly why: string
}

const gasPrice = (id: number): Wrong => ({
  id,
  clause: 'condition',
  says: /field does not exist: gasPrice \(did you mean gas_price\?\)/,
  why: 'the member is called gas_price',
})

/** The public policies that are wrong, and what must be said of them. All others are right. */
export const WRONG: readonly Wrong[] = [
  ...[40, 41, 52, 53, 65, 108, 109, 113, 114, 115, 116, 121].map(gasPrice),
  {
    id: 43,
    clause: 'condition',
    says: /column 14: unexpected character: strings stand in single/,
    why: 'double quotes',
  },
  {
    id: 46,
    clause: 'condition',
    says: /function does not exist: hex_to_uint, at line 1, column 23/,
    why: 'no such function',
  },
  {
    id: 47,
    clause: 'condition',
    says: /column 31: unexpected character: an expression ends without/,
    why: 'a semicolon',
  },
  {
    id: 48,
    clause: 'condition',
    says: /column 21: unexpected character: an expression ends without/,
    why: 'a semicolon',
  },
  {
    id: 61,
    clause: 'condition',
    says: /exist: outputContract \(the members of a map stand in/,
    why: 'a map has no fields',
  },
  { id: 62, clause: 'condition', says: /outputContract .*; .*exist: ethAmount/, why: 'a map has no fields, twice' },
  { id: 77, clause: 'condition', says: /unexpected character: strings stand in single quotes/, why: 'double quotes' },
  { id: 77, clause: 'consensus', says: /field does not exist: CONSENSUS_UNANIMOUS/, why: 'no expression' },
  {
    id: 106,
    clause: 'consensus',
    says: /does not exist: activity \(it belongs in the condition\)/,
    why: 'of another clause',
  },
  { id: 110, clause: 'condition', says: /function does not exist: fn_selector/, why: 'no such function' },
  { id: 117, clause: 'condition', says: /function does not exist: fn_selector/, why: 'no such function' },
  { id: 118, clause: 'condition', says: /function does not exist: fn_selector/, why: 'no such function' },
]

/** The right ones that can never be true, and the warning of that. */
export const NEVER_TRUE: Readonly<Record<number, readonly string[]>> = {
  44: ['a part of 64 characters never equals a text of 61'],
  45: ['a part of 64 characters never equals a text of 62'],
  64: ['a part of 64 characters never equals a text of 63'],
  131: ['wallet and private_key are never both there'],
}

/**
 * What the right ones are worth on the made-up facts: the ids of those whose condition is true, or an error because a member is not
 * there; and of those whose consensus is true. All others are false. An absent clause is true.
 */
export const TRUE_CONDITIONS: readonly number[] = [
  2, 5, 6, 10, 16, 28, 37, 39, 51, 54, 57, 58, 59, 60, 63, 69, 70, 71, 73, 90, 91, 93, 119, 125, 127, 128, 130, 132,
  133, 141,
]
export const FAILING_CONDITIONS: readonly number[] = [4, 56, 64, 89, 107, 111, 112, 120, 122, 137, 138]
export const TRUE_CONSENSUSES: readonly number[] = [
  2, 8, 36, 37, 44, 45, 51, 60, 67, 69, 74, 75, 76, 86, 122, 125, 129, 131, 132, 134, 135, 136,
]
