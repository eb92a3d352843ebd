import type * as t from 'io-ts'
import { decode } from '../../../../core/codec/codec.ts'
import { E } from '../../../../core/prelude.ts'
import { texts } from '../texts.ts'

/** What a codec reads of an answer. */
export const answerOf = <A>(codec: t.Type<A, unknown, unknown>, answer: unknown): A => {
  const read = decode(codec, 'answer')(answer)
  if (E.isLeft(read)) throw new Error(texts.signIn.strange)
  return read.right
}
