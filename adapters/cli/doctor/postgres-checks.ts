/* What the settings of a database mean for the promises of the store. */
import type { Examined } from '../../store-postgres/examine.ts'
import { bytesText, countOf, durationText } from '../../inbox/amounts.ts'
import type { Checked } from '../doctor.ts'

/** A finding for each thing that was read of the database. */
export const postgresChecks = (examined: Examined): readonly Checked[] => [
  storeCheck(examined),
  rightsCheck(examined),
  ...serverChecks(examined),
  ...settingChecks(examined),
  transactionCheck(examined),
  standbyCheck(examined),
  poolerCheck(examined),
  connectionsCheck(examined),
  skewCheck(examined),
  ...leftCheck(examined),
]

/** Whether an administrator has to do something before the store can be used. */
export const needsAdministrator = ({ store, rights }: Examined): boolean =>
  rights.missing.length > 0 || (store.unread === 'missing' && !mayBegin(rights))

const mayBegin = ({ isSchemaThere, mayMakeSchemas, mayMakeTables }: Examined['rights']): boolean =>
  isSchemaThere ? mayMakeTables : mayMakeSchemas

const BELOW = 'as its owner or an administrator, run the statements below'

const storeCheck = ({ store, rights }: Examined): Checked => {
  const check = 'store'
  if (store.unread === 'missing') {
    const found = 'a PostgreSQL database that has no store in this schema yet'
    return { check, state: 'warning', found, advice: 'begin one with countersign serve --init' }
  }
  if (store.unread !== undefined && rights.missing.length > 0)
    return { check, state: 'wrong', found: 'it cannot be read: see rights' }
  if (store.unread !== undefined)
    return { check, state: 'wrong', found: store.unread.message, advice: 'name another schema, or restore a backup' }
  const found = `a PostgreSQL database that can be read: ${countOf(Number(store.events), 'event')}, ${bytesText(Number(store.bytes))}`
  if (store.changedTables.length === 0) return { check, state: 'ok', found }
  return {
    check,
    state: 'warning',
    found: `${found}; somebody has put triggers or rules on ${store.changedTables.join(', ')}`,
    advice: 'remove them, unless you are certain that they change no row',
  }
}

const rightsCheck = (examined: Examined): Checked => {
  const check = 'rights'
  const { rights, store } = examined
  if (rights.missing.length > 0) {
    const shown = rights.missing.slice(0, 3).join(', ')
    const rest = rights.missing.length - 3
    const found = `the user has not: ${shown}${rest > 0 ? `, and ${rest} more` : ''}`
    return { check, state: 'wrong', found, advice: BELOW }
  }
  if (needsAdministrator(examined))
    return { check, state: 'wrong', found: 'the user may not make the store, and there is none', advice: BELOW }
  const makes = mayBegin(rights)
    ? 'may make the store, and use it'
    : 'may use the store that is there, and make nothing'
  return { check, state: 'ok', found: `the user ${store.unread === 'missing' ? 'may make the store' : makes}` }
}

const OLDEST = 140_000

const serverChecks = ({ server: { version, versionNumber, encoding } }: Examined): readonly Checked[] => [
  versionNumber >= OLDEST
    ? { check: 'server', state: 'ok', found: `PostgreSQL ${version}` }
    : { check: 'server', state: 'wrong', found: `PostgreSQL ${version}`, advice: 'use 14 or newer' },
  encoding === 'UTF8'
    ? { check: 'encoding', state: 'ok', found: encoding }
    : { check: 'encoding', state: 'wrong', found: encoding, advice: 'make a database with the encoding UTF8' },
]

type Rule = {
  readonly name: string
  readonly isGood: (value: string) => boolean
  readonly state: 'warning' | 'wrong'
  readonly means: string
  readonly advice: string
  /** Whether it is told where it is good, too. */
  readonly isTold?: boolean
}

const isOn = (value: string): boolean => value === 'on'
const isOff = (value: string): boolean => value === 'off'
/** A limit on the server, in ms: none, or long enough. */
const isLong =
  (leastMs: number) =>
  (value: string): boolean =>
    Number(value) === 0 || Number(value) >= leastMs

const RULES: readonly Rule[] = [
  {
    name: 'fsync',
    isGood: isOn,
    state: 'wrong',
    means: 'a power cut can destroy the database, and lose what was acknowledged',
    advice: 'set fsync = on',
    isTold: true,
  },
  {
    name: 'full_page_writes',
    isGood: isOn,
    state: 'wrong',
    means: 'a power cut can leave pages that are written in part, and no recovery mends them',
    advice: 'set full_page_writes = on, unless the file system never writes a page in part',
    isTold: true,
  },
  {
    name: 'synchronous_commit',
    isGood: (value) => value !== 'off',
    state: 'warning',
    means: 'the store sets it on for its own transactions, but what a host writes beside them can be lost',
    advice: 'set synchronous_commit = on',
    isTold: true,
  },
  {
    name: 'ignore_checksum_failure',
    isGood: isOff,
    state: 'wrong',
    means: 'damaged pages are read as if they were whole',
    advice: 'set it off',
  },
  {
    name: 'zero_damaged_pages',
    isGood: isOff,
    state: 'wrong',
    means: 'damaged pages are read as if they were empty',
    advice: 'set it off',
  },
  {
    name: 'statement_timeout',
    isGood: isLong(5_000),
    state: 'warning',
    means: 'long reads of this user are ended',
    advice: 'give this user at least 5 s, or none: the store sets its own limit for writing',
  },
  {
    name: 'transaction_timeout',
    isGood: isLong(60_000),
    state: 'warning',
    means: 'long transactions of this user are ended, such as an erasure',
    advice: 'give this user at least 60 s, or none',
  },
]

const settingChecks = ({ server: { settings } }: Examined): readonly Checked[] =>
  RULES.flatMap(({ name, isGood, state, means, advice, isTold = false }): readonly Checked[] => {
    const value = settings[name]
    if (value === undefined) return [] // not in every version
    if (!isGood(value)) return [{ check: name, state, found: `${value}: ${means}`, advice }]
    return isTold ? [{ check: name, state: 'ok', found: value }] : []
  })

/** Whether what the store sets inside a transaction holds there. */
const transactionCheck = ({ server: { inTransaction } }: Examined): Checked => {
  const check = 'transactions'
  const limits = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout']
  const lost = [
    ...(inTransaction['synchronous_commit'] === 'on' ? [] : ['synchronous_commit']),
    ...limits.filter((name) => !(Number(inTransaction[name]) > 0)),
  ]
  return lost.length === 0
    ? { check, state: 'ok', found: 'durable, and bounded in time' }
    : { check, state: 'wrong', found: `${lost.join(', ')} cannot be set`, advice: 'look for what stands between' }
}

const standbyCheck = ({ server: { standbys, settings } }: Examined): Checked => {
  const check = 'standbys'
  const isSynchronous = (settings['synchronous_standby_names'] ?? '') !== ''
  if (standbys === 0 && !isSynchronous)
    return { check, state: 'ok', found: 'none: what this server loses can come back only out of a backup' }
  if (standbys === 0)
    return {
      check,
      state: 'warning',
      found: 'writing waits for a synchronous standby, and none is connected',
      advice: 'start the standby',
    }
  return isSynchronous
    ? { check, state: 'ok', found: `${standbys}, and writing waits for those of synchronous_standby_names` }
    : {
        check,
        state: 'warning',
        found: `${standbys}, and writing waits for none: a failover can lose commits that were acknowledged`,
        advice: 'set synchronous_standby_names',
      }
}

const poolerCheck = ({ isPooled, isHeard }: Examined): Checked => {
  const check = 'pooler'
  const advice = 'this costs up to half a second of freshness, and no promise; connect without it, or in session mode'
  if (isPooled)
    return {
      check,
      state: 'warning',
      found: 'a pooler in transaction mode, where no notification passes: other processes look for commits instead',
      advice,
    }
  return isHeard
    ? { check, state: 'ok', found: 'none in transaction mode; notifications pass' }
    : { check, state: 'warning', found: 'no notification passes: other processes look for commits instead', advice }
}

/** What one engine takes. */
const CONNECTIONS = 6

const connectionsCheck = ({ server: { connections, connectionsMax } }: Examined): Checked => {
  const check = 'connections'
  const found = `${connections} are in use, ${connectionsMax} may be`
  return connectionsMax - connections >= CONNECTIONS
    ? { check, state: 'ok', found }
    : { check, state: 'warning', found, advice: `each engine takes up to ${CONNECTIONS}: raise the limit` }
}

const TOLERATED_MS = 2_000
/** As far as a request may be ahead of the engine. */
const ACCEPTED_MS = 5 * 60_000

const skewCheck = ({ server: { aheadMs, uncertainMs } }: Examined): Checked => {
  const check = 'clock skew'
  const skewMs = Math.max(0, Math.abs(aheadMs) - uncertainMs)
  if (skewMs <= TOLERATED_MS) return { check, state: 'ok', found: 'the clocks of the database and this machine agree' }
  const found = `the database is ${durationText(skewMs)} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine`
  const advice = 'set both clocks by a time server (NTP)'
  return { check, state: skewMs > ACCEPTED_MS ? 'wrong' : 'warning', found, advice }
}

const leftCheck = ({ leftSchemas }: Examined): readonly Checked[] =>
  leftSchemas.length === 0
    ? []
    : [
        {
          check: 'scratch',
          state: 'warning',
          found: `an examination that runs, or was killed, has left ${leftSchemas.slice(0, 3).join(', ')}${leftSchemas.length > 3 ? ' and more' : ''}`,
          advice: 'if none runs: DROP SCHEMA ... CASCADE',
        },
      ]
