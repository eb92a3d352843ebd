/* Trials with processes of their own, for every store that several may write. */
import { ok } from 'node:assert/strict'
import type { Recorded } from '../../../core/ports/event-store.ts'
import { right, same } from '../../testing/expect.ts'
import { closed } from '../../testing/store-case.ts'
import type { Trial } from './run-trials.ts'
import { startChild } from './trial-child.ts'
import { RACE_PLACES } from './race.ts'
import { openTrialStore, type TrialStore } from './trial-store.ts'

const ACKNOWLEDGED = 200

/** Lets a process append until it is killed. Gives the ids that it had acknowledged. */
export const killedWriter = async (store: TrialStore): Promise<readonly string[]> => {
  const child = startChild('append without end', store)
  try {
    await child.printed(1)
    child.go()
    await child.printed(1 + ACKNOWLEDGED)
  } finally {
    await child.kill()
  }
  return child.lines.slice(1)
}

type WithStore = (use: (store: TrialStore) => Promise<void>) => Promise<void>

/** Two processes that append to the same logs at the same time. */
export const raceTrial = (withStore: WithStore): Trial => ({
  check: 'two processes',
  found: 'two processes that raced lost and doubled nothing, and have one order without gaps',
  advice: 'run one engine alone on this database until it is known why',
  run: () => withStore(race),
})

const race = async (store: TrialStore): Promise<void> => {
  const children = [startChild('race', store), startChild('race', store)]
  try {
    await Promise.all(children.map(({ printed }) => printed(1)))
    for (const { go } of children) go()
    await Promise.all(children.map(({ ended }) => ended()))
  } finally {
    await Promise.all(children.map(({ kill }) => kill()))
  }
  const acknowledged = children.flatMap(({ lines }) => lines.slice(1, -1))
  const storage = await right(openTrialStore(store))
  try {
    inOneOrder(await right(storage.store.readAll(0n, acknowledged.length * 2)), acknowledged)
  } finally {
    await closed(storage)
  }
}

const inOneOrder = (all: readonly Recorded[], acknowledged: readonly string[]): void => {
  const ids = all.map(({ id }) => id)
  same(ids.toSorted(), acknowledged.toSorted(), 'the store has not exactly what was acknowledged')
  ok(
    all.every(({ position }, i) => position === BigInt(i + 1)),
    'the positions have gaps',
  )
  for (const name of new Set(all.map(({ organization }) => organization))) {
    const own = all.filter(({ organization }) => organization === name)
    ok(
      own.every(({ sequence }, i) => sequence === BigInt(i + 1)),
      'a log has gaps',
    )
    if (name === 'contended') same(own.length, RACE_PLACES * 2, 'two processes got the same place, or none')
  }
}
