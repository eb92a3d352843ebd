import * as t from '../codec/t.ts'
import { ANY_ORIGIN, originOf } from '../organization/origins.ts'

/** The most origins of a list. */
export const ORIGINS_MAX = 100

/** The origins of a list, each in the form of browsers. */
export const Origins = t.list(
  t.canonical(t.string, 'an exact origin, such as https://app.example.com, or * alone for all', (text) =>
    text === ANY_ORIGIN ? text : originOf(text),
  ),
)

/** The rule for the members that have such a list. */
export const originsRule = ({
  allowedOrigins: origins = [],
}: {
  readonly allowedOrigins?: readonly string[] | undefined
}) => {
  if (origins.length > ORIGINS_MAX) return { member: 'allowedOrigins', expected: `at most ${ORIGINS_MAX} origins` }
  return origins.length > 1 && origins.includes(ANY_ORIGIN)
    ? { member: 'allowedOrigins', expected: '* alone, or origins' }
    : undefined
}
