import { existsSync, readFileSync } from 'node:fs'
import { equal } from '../../../../core/bytes.ts'
import { decodeEvent, type Event } from '../../../../core/log/event.ts'
import type { Recorded } from '../../../../core/ports/event-store.ts'
import { eraseUser } from '../../../../core/resources/erasure/erasure.ts'
import { readRanges } from '../../../../core/resources/erasure/sequences.ts'
import { openSqliteStore } from '../../../../adapters/store-sqlite/open.ts'
import { secretText, sightings } from '../../../system/canaries/secret.ts'
import { audited, exported } from '../../../core/audit/logs.ts'
import { right } from '../../../core/world/world.ts'
import { placeOf, type Prepared } from './prepared.ts'

/** What of the person is still in the files, in any form. */
export const checkFiles = ({ path, texts }: Prepared, which: string): readonly string[] => {
  const secrets = texts.map((text) => secretText(text, text))
  return ['', '-wal', '-shm', '-journal']
    .map((end) => `${path}${end}`)
    .filter((file) => existsSync(file))
    .flatMap((file) => sightings(secrets, `${file} ${which}`, readFileSync(file)))
}

/** What does not hold in the closed store after the erasure. */
export const checkErased = async (prepared: Prepared): Promise<readonly string[]> => {
  const { store, readModels } = right(await openSqliteStore({ path: prepared.path, readOnly: true })())
  try {
    const recorded = right(await store.readLog(prepared.organizationId, 0n, 10_000)())
    const { findings } = await audited(await exported(store), {}, [eraseUser])
    const file = readFileSync(prepared.path)
    const left = prepared.kept.filter((text) => !file.includes(text)).map((text) => `${text} is gone, too`)
    return [
      ...checkList(prepared, recorded),
      ...checkParts(prepared, recorded),
      ...findings.map(({ code, message }) => `the audit found ${code}: ${message}`),
      ...left,
    ]
  } finally {
    await readModels.close()
    await store.close()
  }
}

/** It is completed once, and its list is what the lines of before named. */
const checkList = ({ toErase }: Prepared, recorded: readonly Recorded[]): readonly string[] => {
  const events = recorded.map(({ line }) => right(decodeEvent(line)))
  const lists = events.flatMap((event) => listOf(event))
  if (lists.length !== 1) return [`it is completed ${lists.length} times`]
  const [listed = new Set<string>()] = lists
  return [
    ...[...toErase].filter((place) => !listed.has(place)).map((place) => `the list does not name ${place}`),
    ...[...listed].filter((place) => !toErase.has(place)).map((place) => `the list names ${place}`),
  ]
}

const listOf = (event: Event): readonly ReadonlySet<string>[] => {
  if (event.type !== 'ActivityCompleted' || event.data.type !== eraseUser.type) return []
  const { erased } = event.data.change as {
    readonly erased: readonly { readonly name: string; readonly sequences: string }[]
  }
  const places = new Set<string>()
  for (const { name, sequences } of erased)
    for (const { from, to } of readRanges(sequences) ?? [])
      for (let sequence = from; sequence <= to; sequence += 1n) places.add(placeOf(sequence, name))
  return [places]
}

/** All lines and parts of before are there with their bytes, and exactly those of the person are gone; no later event misses any. */
const checkParts = ({ recorded: before, toErase }: Prepared, after: readonly Recorded[]): readonly string[] => {
  const found: string[] = []
  for (const [index, one] of before.entries()) {
    const now = after[index]
    if (now === undefined || !equal(now.line, one.line)) found.push(`the line ${one.sequence} has changed`)
    for (const { name, bytes, salt } of one.parts) {
      const left = now?.parts.find((part) => part.name === name)
      const place = placeOf(one.sequence, name)
      if (toErase.has(place) === (left !== undefined))
        found.push(`${place} is ${left === undefined ? 'gone' : 'there'}`)
      if (left !== undefined && !(equal(left.bytes, bytes) && equal(left.salt, salt)))
        found.push(`${place} has changed`)
    }
  }
  for (const { line, sequence, parts } of after.slice(before.length))
    for (const name of Object.keys(right(decodeEvent(line)).parts))
      if (!parts.some((part) => part.name === name)) found.push(`${placeOf(sequence, name)} of a later event is gone`)
  return found
}
