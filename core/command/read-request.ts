import { isForActivity, organizationOf } from '../activity/envelope.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { parseStrict, requestJson } from '../json/strict-json.ts'
import { notTaken, takesAttested } from '../organization/attested.ts'
import type { Stamp } from '../organization/credential.ts'
import { stampOf, type ReadStamp, type StampTexts } from '../organization/stamp.ts'
import { E } from '../prelude.ts'
import { STAMP_HEADERS, type Request, type StampHeader } from '../request.ts'

/* What a request says by itself: nothing of it is looked up, and nothing verified. */

export type Read = ReadStamp & { readonly organizationId: string; readonly json: Json }

/** All that a request says by itself. */
export const readRequest = (request: Request, kind: 'submit' | 'query'): E.Either<Failure, Read> => {
  const body = readBody(request)
  if (E.isLeft(body)) return body
  const texts = stampHeadersOf(request)
  if (E.isLeft(texts)) return texts
  if (kind === 'query' && isForActivity(body.right.json)) return E.left(noQuery)
  return E.map((read: ReadStamp): Read => ({ ...read, ...body.right }))(stampOf(kind)(texts.right))
}

/** The body of a request, and the organization that it names. */
export const readBody = ({ body }: Request): E.Either<Failure, Pick<Read, 'json' | 'organizationId'>> => {
  const json = parseStrict(body, requestJson)
  if (E.isLeft(json)) return json
  return E.map((organizationId: string) => ({ json: json.right, organizationId }))(organizationOf(json.right))
}

/** Refuses a stamp that brings a token where it cannot be used. */
export const takesStamp = (path: string, { kind }: Stamp): E.Either<Failure, unknown> =>
  kind === 'attested' && !takesAttested(path) ? E.left(notTaken) : E.right(undefined)

export const noQuery = failure(
  'UNAUTHENTICATED',
  'the body is that of an activity: a stamp on it does not ask a query; send a body without a type',
)

/** The headers that carry a stamp. Each may be sent once: if it came twice, the caller would depend on which one a server reads first. */
export const stampHeadersOf = ({ headers }: Request): E.Either<Failure, StampTexts> => {
  const found = new Map<StampHeader, string>()
  for (const [name, value] of Object.entries(headers)) {
    const header = byLowerCase.get(name.toLowerCase())
    if (header === undefined || value === undefined) continue
    if (typeof value !== 'string' || found.has(header))
      return E.left(failure('REQUEST_INVALID', 'a stamp header was sent more than once'))
    found.set(header, value)
  }
  return E.right(found)
}

/** The text of a header, or its texts if it was sent more than once. */
export const headerOf = ({ headers }: Request, name: string): string | readonly string[] | undefined => {
  const texts = Object.entries(headers).flatMap(([one, value]) =>
    one.toLowerCase() === name.toLowerCase() ? (value ?? []) : [],
  )
  return texts.length > 1 ? texts : texts[0]
}

const byLowerCase = new Map(STAMP_HEADERS.map((header) => [header.toLowerCase(), header]))
