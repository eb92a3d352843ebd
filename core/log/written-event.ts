import type { Basis, Decision, Evaluation } from '../activity/decision.ts'
import type { Json } from '../failure.ts'
import { parseJson } from '../json/parse-json.ts'
import { EVENT_VERSION, type Event, type EventOf } from './event.ts'
import { counterOf, isNamedByUuids, isOutcome, isRule, isSelection, isVerdictOutcome } from './event-guards.ts'
import { mayBeDeep } from './nesting.ts'

/**
 * Reads a line that stands letter by letter as `encodeEvent` writes it, by that form and without parsing JSON: an audit
 * reads millions of them, and would otherwise write each again to see whether it is in its one spelling.
 *
 * @param text  of one line, well-formed
 * @returns `undefined` for every line of which this does not see that at once: rare events, names with an escape in them,
 *   what is no event. That says nothing of the line; `decodeLine` then goes the long way
 */
export const readWritten = (text: string): Event | undefined => {
  if (UNPLAIN.test(text)) return undefined
  const line = new Line(text)
  const organization = line.after('{"organization":"')
  const sequence = counterOf(line.after('","sequence":"'))
  const activity = line.after('","activity":"')
  const revision = counterOf(line.after('","revision":"'))
  const type = line.after('","type":"')
  const id = line.after(VERSION_AND_ID)
  const at = line.after('","at":"')
  const previous = line.after('","previous":"')
  line.skip('","data":')
  if (line.isLost || sequence === undefined || revision === undefined) return undefined
  if (!isNamedByUuids({ organization, activity, id })) return undefined
  const carried = carriedBy(line, type)
  if (carried === undefined) return undefined
  const { data, parts } = carried
  return {
    organization,
    sequence,
    activity,
    revision,
    version: EVENT_VERSION,
    id,
    at,
    previous,
    parts,
    type,
    data,
  } as Event // `carriedBy` read the data by the type
}

/** What would be escaped in JSON; and of what is written in escapes, nothing is read here. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const UNPLAIN = /[\\\u0000-\u001f]/
const VERSION_AND_ID = `","version":${EVENT_VERSION},"id":"`

type Carried = { readonly data: Event['data']; readonly parts: Event['parts'] }

const carriedBy = (line: Line, type: string): Carried | undefined => {
  switch (type) {
    case 'ActivityCreated': {
      const data = createdOf(line)
      return data === undefined ? undefined : withParts(line, data)
    }
    case 'ActivityVoted': {
      const data = votedOf(line)
      return data === undefined ? undefined : withParts(line, data)
    }
    case 'ActivityCompleted':
      return completedOf(line)
    default:
      return undefined
  }
}

const withParts = (line: Line, data: Event['data']): Carried | undefined => {
  const request = line.after(',"parts":{"request":"')
  line.skip('"}}')
  return line.isLost || !line.isAtEnd ? undefined : { data, parts: { request } }
}

const createdOf = (line: Line): EventOf<'ActivityCreated'>['data'] | undefined => {
  const type = line.after('{"type":"')
  const requester = line.after('","requester":"')
  const fingerprint = line.after('","fingerprint":"')
  line.skip('",')
  const decision = decisionOf(line)
  return decision && { type, requester, fingerprint, decision }
}

const votedOf = (line: Line): EventOf<'ActivityVoted'>['data'] | undefined => {
  const user = line.after('{"user":"')
  const selection = line.after('","selection":"')
  line.skip('",')
  if (!isSelection(selection)) return undefined
  const decision = decisionOf(line)
  return decision && { user, selection, decision }
}

/** The decision, and the brace that ends the data behind it. */
const decisionOf = (line: Line): Decision | undefined => {
  const outcome = line.after('"decision":{"verdict":{"outcome":"')
  const rule = line.after('","rule":"')
  line.skip('","evaluations":[')
  const evaluations = evaluationsOf(line)
  line.skip('},"basis":')
  const basis = evaluations && basisOf(line)
  line.skip('}}')
  if (line.isLost || basis === undefined || evaluations === undefined) return undefined
  return isVerdictOutcome(outcome) && isRule(rule) ? { verdict: { outcome, rule, evaluations }, basis } : undefined
}

const evaluationsOf = (line: Line): readonly Evaluation[] | undefined => {
  const evaluations: Evaluation[] = []
  while (!line.takes(']')) {
    if (evaluations.length > 0) line.skip(',')
    const policyId = line.after('{"policyId":"')
    const outcome = line.after('","outcome":"')
    line.skip('"}')
    if (line.isLost || !isOutcome(outcome)) return undefined
    evaluations.push({ policyId, outcome })
  }
  return evaluations
}

/** A basis that was made on one organization, without factors and with no limits but the default. */
const basisOf = (line: Line): Basis | undefined => {
  const rules = line.numberAfter('{"rules":')
  const organization = line.after(',"read":[{"organization":"')
  const sequence = line.after('","sequence":"')
  const at = line.after('"}],"at":"')
  const credential = line.after('","credential":"')
  const scheme = line.after('","scheme":"')
  line.skip('","address":')
  const address = line.takes('null') ? null : line.after('"')
  if (address !== null) line.skip('"')
  line.skip(',"factors":[]}')
  if (line.isLost || rules === undefined) return undefined
  return { rules, read: [{ organization, sequence }], at, credential, scheme, address, factors: [] }
}

/** Result and change are any JSON: it is parsed, and has to be what it would be written as. */
const completedOf = (line: Line): Carried | undefined => {
  const text = line.restBefore(WITHOUT_PARTS)
  if (text === undefined || mayBeDeep(text, 1)) return undefined // the event is around it
  try {
    const data: unknown = parseJson(text)
    return isCompleted(data) && JSON.stringify(data) === text ? { data, parts: {} } : undefined
  } catch {
    return undefined
  }
}

const WITHOUT_PARTS = ',"parts":{}}'

const isCompleted = (data: unknown): data is EventOf<'ActivityCompleted'>['data'] => {
  if (typeof data !== 'object' || data === null) return false
  const { type } = data as { readonly [member: string]: Json | undefined } // came out of a parser
  return typeof type === 'string' && Object.keys(data).join() === 'type,result,change'
}

const ZERO = 0x30
const NINE = 0x39

/** A place in a text. Once something is not as expected, it is lost, and reads nothing more. */
class Line {
  isLost = false
  private at = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  get isAtEnd(): boolean {
    return this.at === this.text.length
  }

  skip(expected: string): void {
    if (!this.takes(expected)) this.isLost = true
  }

  takes(expected: string): boolean {
    if (!this.text.startsWith(expected, this.at)) return false
    this.at += expected.length
    return true
  }

  /** What stands between `start` and the next quote. */
  after(start: string): string {
    this.skip(start)
    if (this.isLost) return ''
    const end = this.text.indexOf('"', this.at)
    if (end < 0) this.isLost = true
    const between = this.text.slice(this.at, end)
    this.at = end
    return between
  }

  /** The number of at most nine digits behind `start`. */
  numberAfter(start: string): number | undefined {
    this.skip(start)
    const from = this.at
    let value = 0
    for (let digit = this.text.charCodeAt(this.at); digit >= ZERO && digit <= NINE;) {
      value = value * 10 + digit - ZERO
      this.at += 1
      digit = this.text.charCodeAt(this.at)
    }
    const digits = this.at - from
    return digits === 1 || (digits > 1 && digits < 10 && this.text[from] !== '0') ? value : undefined
  }

  restBefore(end: string): string | undefined {
    return this.text.endsWith(end) ? this.text.slice(this.at, -end.length) : undefined
  }
}
