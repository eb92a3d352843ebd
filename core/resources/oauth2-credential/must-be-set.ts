import type * as t from '../../codec/t.ts'
import { isObject } from '../../codec/codec.ts'
import { decodes } from '../../definition/operation.ts'
import { refusal } from '../../definition/refuse.ts'
import { fieldViolations } from '../../failure.ts'

/**
 * Reads parameters by a codec, and refuses before in the words of the public API what lacks one of the members: the empty text counts as left out.
 *
 * @param before  what else is refused before
 */
export const mustBeSet = <A>(
  codec: t.Type<A, unknown, unknown>,
  members: readonly (keyof A & string)[],
  before: (parameters: { readonly [member: string]: unknown }) => void = () => undefined,
): ReturnType<typeof decodes<A, A>> => {
  const { decodeIntent } = decodes(codec, (intent: A) => intent)
  return {
    codec,
    decodeIntent: (parameters) => {
      const given = isObject(parameters) ? parameters : {}
      const lacking = members.filter((member) => [undefined, null, ''].some((none) => given[member] === none))
      const [first] = lacking
      if (first !== undefined)
        throw refusal(
          fieldViolations(
            wordsOf(first),
            lacking.map((field) => ({ field, description: wordsOf(field) })),
          ),
        )
      before(given)
      return decodeIntent(parameters)
    },
  }
}

const wordsOf = (member: string): string =>
  `${member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} must be set`
