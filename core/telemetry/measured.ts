import type { Failure } from '../failure.ts'
import type { Attributes, SpanName, Telemetry } from '../ports/telemetry.ts'
import { E } from '../prelude.ts'

/** Runs work inside a span, if there is telemetry. */
export const spanned = <A>(
  telemetry: Telemetry | undefined,
  name: SpanName,
  attributes: Attributes,
  work: () => Promise<E.Either<Failure, A>>,
): Promise<E.Either<Failure, A>> =>
  telemetry === undefined ? work() : telemetry.span(name, attributes, work, outcomeOf)

/** Like `spanned`, for a whole request: it also counts the request. */
export const measured = async <A>(
  telemetry: Telemetry | undefined,
  kind: 'submit' | 'query',
  path: string,
  work: () => Promise<E.Either<Failure, A>>,
  requestId?: string,
): Promise<E.Either<Failure, A>> => {
  if (telemetry === undefined) return work()
  const answer = await telemetry.span(
    `countersign.${kind}`,
    requestId === undefined ? { path } : { path, requestId },
    work,
    outcomeOf,
  )
  telemetry.count('countersign.requests', 1, { kind, path, outcome: outcomeOf(answer) })
  return answer
}

const outcomeOf = <A>(answer: E.Either<Failure, A>): string => (E.isRight(answer) ? 'ok' : answer.left.code)
