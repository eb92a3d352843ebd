import type * as t from 'io-ts'
import { answerOf } from '../server/answer-of.ts'
import type { Session } from '../who/session.ts'

/** Queries, by name, with the codecs of what the page reads of their answers. */
export type Queries = { readonly [name: string]: t.Mixed }

export type Answers<Q extends Queries> = { readonly [Name in keyof Q]: t.TypeOf<Q[Name]> | undefined }

/** Asks those of the queries that the server offers; the answers of all others are undefined. */
export const answersTo = async <Q extends Queries>(
  session: Session,
  queries: Q,
  signal: AbortSignal,
): Promise<Answers<Q>> => {
  const answers = await Promise.all(
    Object.entries(queries).map(async ([name, codec]) =>
      session.offers.has(name)
        ? [[name, answerOf<unknown>(codec, await session.ask(`query/${name}`, {}, signal))] as const]
        : [],
    ),
  )
  return Object.fromEntries(answers.flat()) as Answers<Q> // each by its own codec
}
