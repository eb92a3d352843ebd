import { jsonSchemaOf } from '../../../../core/codec/json-schema.ts'
import type { Query } from '../../../../core/definition/query.ts'
import type { Json } from '../../../../core/failure.ts'
import { idLeavesOf, kindOfId, memberOf, withText } from '../../../core/resources/leaves.ts'

/** A query, and the request of its example. */
export type Question = { readonly query: Query; readonly request: Json }

/** The ids that answers have told, by the kind of thing that they name. */
export type Ids = Map<string, Set<string>>

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Takes the ids out of an answer. */
export const idsIn = (answer: Json, ids: Ids, member = ''): void => {
  if (typeof answer === 'string' && UUID.test(answer)) {
    const kind = kindOfId(member)
    ids.set(kind, (ids.get(kind) ?? new Set()).add(answer))
  }
  if (typeof answer !== 'object' || answer === null) return
  for (const [name, inner] of Object.entries(answer)) idsIn(inner, ids, Array.isArray(answer) ? member : name)
}

/** Each question with no members, as its example, and about each thing of the kind that it is about. */
export const questionsOf = (questions: readonly Question[], ids: Ids): readonly (readonly [string, Json])[] =>
  questions.flatMap(({ query, request }) => {
    const about = idLeavesOf(jsonSchemaOf(query.codecs.request)).flatMap((leaf) =>
      [...(ids.get(kindOfId(memberOf(leaf))) ?? [])].map((id) => withText(request, leaf, id)),
    )
    return [{}, request, ...about].flatMap((body) => (body === undefined ? [] : [[query.path, body] as const]))
  })
