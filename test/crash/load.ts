import { nextAction } from './actions.ts'
import { httpClient, type HttpClient } from './http-client.ts'
import { isUncertain, type Sent } from './journal.ts'
import type { Random } from './random.ts'
import type { StorePlace } from './store-place.ts'

export type LoadOptions = { readonly url: string; readonly clients: number; readonly isOver: () => boolean }

/** Several clients, each with its own connection and its own choices, until the server is gone. */
export const runLoad = async (
  place: StorePlace,
  { url, clients, isOver }: LoadOptions,
  random: Random,
): Promise<void> => {
  const { town } = place
  const people = [...town.roots, ...town.members]
  const work = async (index: number): Promise<void> => {
    const client = httpClient()
    const choices = random.fork(`client ${index}`)
    const me = people[index % people.length]
    if (me === undefined) throw new Error('a town needs somebody')
    if (index === 0) await settle(place, client, url)
    while (!isOver()) {
      const sent = nextAction(town, me, choices)
      if (!(await deliver(place, client, url, sent)) && !isOver()) await pause(5)
    }
    client.close()
  }
  await Promise.all(Array.from({ length: clients }, (_, index) => work(index)))
}

/** Sees to it that what everything else needs is there. */
const settle = async (place: StorePlace, client: HttpClient, url: string): Promise<void> => {
  const done = new Set(
    place.journal
      .answers()
      .filter(({ status }) => status === 200)
      .map(({ activityId }) => activityId),
  )
  for (const sent of place.town.setup) if (!done.has(sent.activityId)) await deliver(place, client, url, sent)
}

/** Sends a request and writes down what came of it; false where nothing did. */
export const deliver = async (place: StorePlace, client: HttpClient, url: string, sent: Sent): Promise<boolean> => {
  const { journal, town } = place
  const response = await client.send(url, sent)
  const isOpen = response === undefined || isUncertain(response.status)
  if (isOpen && sent.kind !== 'query') journal.unanswered(sent)
  if (response === undefined) return false
  town.learn(journal.answered(sent, response.status, response.json))
  return true
}

export const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs))
