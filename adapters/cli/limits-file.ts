import * as t from 'io-ts'
import type { LimitsInForce } from '../../core/audit/report.ts'
import { canonical, closed, decode, optional, refined } from '../../core/codec.ts'
import { defaultLimits, type Limits } from '../../core/operations/limits.ts'
import { E } from '../../core/prelude.ts'
import { readJson } from './credentials.ts'
import { millisOf, MOMENT } from './moment.ts'
import { unusable } from './stop.ts'

const NAMES = Object.keys(defaultLimits)
const Count = refined(t.number, 'a whole number', (value) => Number.isSafeInteger(value) && value >= 0)
/** Those that are not named have their defaults. A record of io-ts would drop a name that is misspelt. */
const Named = refined(
  t.record(t.string, Count),
  `whole numbers by the names of limits (${NAMES.join(', ')})`,
  (limits) => Object.keys(limits).every((name) => NAMES.includes(name)),
)
type Named = t.TypeOf<typeof Named>

const Moment = canonical(t.string, MOMENT, (text) => (millisOf(text) === undefined ? undefined : text))
const Period = closed({ limits: Named, from: optional(Moment), until: optional(Moment) })
type Period = t.TypeOf<typeof Period>

/**
 * Reads the limits that were in force: one object of limits, which were in force at all times, or a list of
 * `{limits, from, until}` with dates, both of them included.
 */
export const readLimits = async (path: string): Promise<readonly LimitsInForce[]> => {
  const json = await readJson(t.unknown, path, WHAT)
  if (json === undefined) throw unusable(`--limits: there is no file ${path}`)
  if (!Array.isArray(json)) return [{ limits: known(right(path, decode(Named, WHAT)(json))) }]
  if (json.length === 0) throw refused(path, 'expected at least one entry')
  return right(path, decode(t.array(Period), WHAT)(json)).map((period) => inForce(path, period))
}

const WHAT = 'file of limits'

const inForce = (path: string, { limits, from, until }: Period): LimitsInForce => {
  const [fromMs, untilMs] = [from, until].map((text) => (text === undefined ? undefined : millisOf(text)))
  if ((fromMs ?? -Infinity) > (untilMs ?? Infinity)) throw refused(path, 'expected each from before its until')
  return {
    limits: known(limits),
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(untilMs === undefined ? {} : { untilMs }),
  }
}

const known = (limits: Named): Partial<Limits> => limits // the codec lets through no other names

const right = <A>(path: string, decoded: E.Either<{ readonly message: string }, A>): A => {
  if (E.isLeft(decoded)) throw refused(path, decoded.left.message)
  return decoded.right
}

const refused = (path: string, why: string) => unusable(`--limits: ${path} is not a ${WHAT}: ${why}`)
