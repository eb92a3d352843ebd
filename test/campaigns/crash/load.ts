import { nextAction } from './actions.ts'
import { httpClient, type HttpClient } from './http-client.ts'
import { isUncertain, type Sent } from './journal.ts'
import type { Random } from './random.ts'
import type { StorePlace } from './store-place.ts'
import type { Town } from './town.ts'

export type LoadOptions = {
  /** Where the next request goes; undefined while no server accepts any. */
  readonly urlOf: (random: Random) => string | undefined
  readonly clients: number
  /** Sets clients apart from those of another load at the same time: time runs forward for each of them. Default: client. */
  readonly name?: string
  readonly isOver: () => boolean
  /** How often, at most, a request without an answer is sent again at once, to whatever server is next. */
  readonly retriesMax?: number
}

/** Several clients, each with its own connections and its own choices, until the load is over. */
export const runLoad = async (
  place: StorePlace,
  { urlOf, clients, name = 'client', isOver, retriesMax = 0 }: LoadOptions,
  random: Random,
): Promise<void> => {
  const { towns } = place
  const work = async (index: number): Promise<void> => {
    const client = httpClient(`${name} ${index}`)
    const choices = random.fork(`client ${index}`)
    const town = towns[index % towns.length]
    const people = [...(town?.roots ?? []), ...(town?.members ?? [])]
    const me = people[Math.floor(index / towns.length) % people.length]
    if (town === undefined || me === undefined) throw new Error('a town needs somebody')

    /** Sends a request until it is answered, or has been sent so many times. */
    const send = async (sent: Sent, timesMax: number): Promise<void> => {
      for (let times = 0; times < timesMax && !isOver();) {
        const url = urlOf(choices)
        if (url !== undefined) times += 1
        if (url !== undefined && (await deliver(place, client, url, sent))) return
        if (!isOver()) await pause(5)
      }
    }
    if (index < towns.length) await settle(place, town, (sent) => send(sent, Infinity))
    while (!isOver()) await send(nextAction(town, me, choices), 1 + choices.below(1 + retriesMax))
    client.close()
  }
  await Promise.all(Array.from({ length: clients }, (_, index) => work(index)))
}

/** Sees to it that what everything else needs is there. */
const settle = async (place: StorePlace, town: Town, send: (sent: Sent) => Promise<void>): Promise<void> => {
  const done = new Set(
    place.journal
      .answers()
      .filter(({ status }) => status === 200)
      .map(({ activityId }) => activityId),
  )
  for (const sent of town.setup) if (!done.has(sent.activityId)) await send(sent)
}

/** Sends a request and writes down what came of it; false where nothing did. What is open then will be sent again. */
export const deliver = async (
  { journal, learn }: StorePlace,
  client: HttpClient,
  url: string,
  sent: Sent,
): Promise<boolean> => {
  const call = journal.sending(sent, client.name)
  const response = await client.send(url, sent)
  const isOpen = response === undefined || isUncertain(response)
  if (isOpen && sent.kind !== 'query') journal.unanswered(sent)
  if (response === undefined) return false
  learn(journal.answered(call, response.status, response.json))
  return true
}

const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs))
