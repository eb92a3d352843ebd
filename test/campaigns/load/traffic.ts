import { stamper } from '../../../adapters/signatures/signer.ts'
import { encode, renaming } from '../bench/seed.ts'
import type { Random } from '../simulate/random.ts'
import { postOf, type Answer } from './caller.ts'
import type { Errand } from './closed-loop.ts'
import type { Town } from './town.ts'

/** What came back, as far as it can be counted. */
export type Counts = {
  /** Answers by status; 0 where none came. */
  readonly statuses: Map<number, number>
  /** How many events the store must hold for what was answered. */
  events: number
  /** Answers that say something else than they had to. */
  readonly wrong: string[]
}

export const noCounts = (): Counts => ({ statuses: new Map(), events: 0, wrong: [] })

type Resident = Town & {
  readonly stamps: Readonly<Record<'root' | 'ada' | 'grace', (body: Uint8Array) => string>>
  /** Fingerprints of what waits for an approval of grace. */
  readonly open: string[]
}

/** A mix of everyday requests to many organizations: 40 % submits, 20 % votes, 40 % queries. */
export const traffic = (towns: readonly Town[], random: Random, counts: Counts): (() => Errand) => {
  const residents: readonly Resident[] = towns.map((town) => ({
    ...town,
    stamps: { root: stamper(town.key), ada: stamper(town.ada), grace: stamper(town.grace) },
    open: [],
  }))
  let n = 0
  return () => {
    n += 1
    const town = random.pick(residents)
    const luck = random.next()
    if (luck < 0.2) return rename(town, n, counts)
    if (luck < 0.4) return propose(town, n, counts)
    if (luck < 0.6) return town.open.length > 0 ? approve(town, counts) : propose(town, n, counts)
    return question(town, random.pick(QUESTIONS), counts)
  }
}

const QUESTIONS = ['whoami', 'list_user_tags', 'list_users', 'list_activities'] as const

/** The root user renames a tag: done at once, in two events. */
const rename = (town: Resident, n: number, counts: Counts): Errand => ({
  make: () => post('submit/update_user_tag', renaming(town, String(n)), town.stamps.root),
  heard: expecting(counts, 'ACTIVITY_STATUS_COMPLETED', () => (counts.events += 2)),
})

/** Ada wants to rename it, which needs grace. */
const propose = (town: Resident, n: number, counts: Counts): Errand => ({
  make: () => post('submit/update_user_tag', renaming(town, `${n} of ada`), town.stamps.ada),
  heard: expecting(counts, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', (body) => {
    counts.events += 1
    const fingerprint = /"fingerprint":"(sha256:[0-9a-f]{64})"/.exec(body)?.[1]
    if (fingerprint !== undefined) town.open.push(fingerprint)
  }),
})

const approve = (town: Resident, counts: Counts): Errand => {
  const fingerprint = town.open.shift() ?? ''
  const { organizationId } = town
  const type = 'ACTIVITY_TYPE_APPROVE_ACTIVITY'
  return {
    make: () => {
      const body = encode({ type, timestampMs: String(Date.now()), organizationId, parameters: { fingerprint } })
      return post('submit/approve_activity', body, town.stamps.grace)
    },
    heard: expecting(counts, 'ACTIVITY_STATUS_COMPLETED', () => (counts.events += 2)),
  }
}

const question = ({ organizationId, stamps }: Resident, query: string, counts: Counts): Errand => ({
  make: () => post(`query/${query}`, encode({ organizationId }), stamps.root),
  heard: expecting(counts, '{', () => undefined),
})

const post = (path: string, body: Uint8Array, stamp: (body: Uint8Array) => string): Uint8Array =>
  postOf(`/public/v1/${path}`, body, [`X-Stamp: ${stamp(body)}`])

const expecting =
  (counts: Counts, text: string, then: (body: string) => void): Errand['heard'] =>
  (answer: Answer | undefined) => {
    const status = answer?.status ?? 0
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1)
    if (answer?.status === 200 && answer.body.includes(text)) then(answer.body)
    else if (counts.wrong.length < 20) counts.wrong.push(`${status}: ${answer?.body.slice(0, 300) ?? 'no answer'}`)
  }
