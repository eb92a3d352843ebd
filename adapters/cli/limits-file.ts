import * as t from 'io-ts'
import type { LimitsInForce } from '../../core/audit/report.ts'
import { canonical, closed, decode, optional, refined } from '../../core/codec/codec.ts'
import type { Limits } from '../../core/definition/limits.ts'
import { E } from '../../core/prelude.ts'
import { readJson } from '../credentials/credentials.ts'
import { millisOf, MOMENT } from './moment.ts'
import { unusable } from './stop.ts'

const Count = refined(t.number, 'a whole number', (value) => Number.isSafeInteger(value) && value >= 0)
/** A codec of limits. Missing limits have their defaults. It refuses a misspelt name, which a record of io-ts would drop. */
const namedOf = (names: readonly string[]): t.Type<Limits, Limits, unknown> =>
  refined<Limits>(t.record(t.string, Count), `whole numbers by the names of limits (${names.join(', ')})`, (limits) =>
    Object.keys(limits).every((name) => names.includes(name)),
  )

const Moment = canonical(t.string, MOMENT, (text) => (millisOf(text) === undefined ? undefined : text))
type Period = { readonly limits: Limits; readonly from: string | undefined; readonly until: string | undefined }

/**
 * Reads the limits that were in force: one object of limits for all times, or a list of `{limits, from, until}` with dates, both
 * included.
 *
 * @param names  the names of all limits
 */
export const readLimits = async (path: string, names: readonly string[]): Promise<readonly LimitsInForce[]> => {
  const json = await readJson(t.unknown, path, WHAT)
  if (json === undefined) throw unusable(`--limits: there is no file ${path}`)
  const Named = namedOf(names)
  const Period = closed({ limits: Named, from: optional(Moment), until: optional(Moment) })
  if (!Array.isArray(json)) return [{ limits: right(path, decode(Named, WHAT)(json)) }]
  if (json.length === 0) throw refused(path, 'expected at least one entry')
  return right(path, decode(t.array(Period), WHAT)(json)).map((period) => inForce(path, period))
}

const WHAT = 'file of limits'

const inForce = (path: string, { limits, from, until }: Period): LimitsInForce => {
  const [fromMs, untilMs] = [from, until].map((text) => (text === undefined ? undefined : millisOf(text)))
  if ((fromMs ?? -Infinity) > (untilMs ?? Infinity)) throw refused(path, 'expected each from before its until')
  return {
    limits,
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(untilMs === undefined ? {} : { untilMs }),
  }
}

const right = <A>(path: string, decoded: E.Either<{ readonly message: string }, A>): A => {
  if (E.isLeft(decoded)) throw refused(path, decoded.left.message)
  return decoded.right
}

const refused = (path: string, why: string) => unusable(`--limits: ${path} is not a ${WHAT}: ${why}`)
