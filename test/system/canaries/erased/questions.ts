import { jsonSchemaOf } from '../../../../core/codec/json-schema.ts'
import type { Query } from '../../../../core/definition/query.ts'
import type { Json } from '../../../../core/failure.ts'
import { idLeavesOf, kindOfId, memberOf, withText, type Ids } from '../../../core/resources/leaves.ts'

/** A query, and the request of its example. */
export type Question = { readonly query: Query; readonly request: Json }

/** Each question with no members, as its example, and about each thing of the kind that it is about. */
export const questionsOf = (questions: readonly Question[], ids: Ids): readonly (readonly [string, Json])[] =>
  questions.flatMap(({ query, request }) => {
    const about = idLeavesOf(jsonSchemaOf(query.codecs.request)).flatMap((leaf) =>
      [...(ids.get(kindOfId(memberOf(leaf))) ?? [])].map((id) => withText(request, leaf, id)),
    )
    return [{}, request, ...about].flatMap((body) => (body === undefined ? [] : [[query.path, body] as const]))
  })
